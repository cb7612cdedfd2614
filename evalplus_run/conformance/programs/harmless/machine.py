# says: asks harmless things of the machine it runs on
# promise: passes
import os
import platform
import resource
import sys
import sysconfig
import tempfile


def f(x):
    assert os.getcwd() and os.path.exists("/") and not os.path.exists("/nowhere") and os.cpu_count()
    assert platform.python_version() and platform.system() and sys.version_info and os.sep == "/"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss and os.getpid() > 0 and os.times().user >= 0
    assert os.path.abspath(".") and os.stat("/").st_mode and sysconfig.get_paths() and os.getppid() >= 0
    assert hasattr(tempfile, "gettempdir") and sys.getswitchinterval() > 0
    return x * x + 1
