"""What a zygote has imported before programs begin.

Each page of memory makes each fork dearer, and numpy alone doubles it. So most programs are forked from a zygote that
holds what most programs import, and those that name more are forked from one that holds that too.
"""

COMMON = (
    "math cmath re collections collections.abc itertools functools operator heapq bisect string typing copy types enum"
)
RARE = (
    "numpy random datetime time decimal fractions numbers hashlib textwrap io abc contextlib warnings unicodedata "
    "array struct binascii keyword"
)
WHERE_NO_FILE_OPENS = (
    "_strptime calendar statistics queue dataclasses inspect traceback threading json base64 zlib secrets pprint "
    "locale uuid ast asyncio concurrent.futures tempfile numpy.random numpy.fft numpy.polynomial numpy.ma "
    "encodings.idna zoneinfo graphlib bz2 lzma html csv logging unittest difflib shlex email.utils email.message "
    "email.policy email.mime.text urllib.parse multiprocessing concurrent.futures.thread multiprocessing.pool "
    "subprocess xml.etree.ElementTree"
)
