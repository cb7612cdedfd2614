# says: computes with dates in time zones
# promise: passes
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


def f(x):
    moment = datetime(2024, 7, 1, 12, tzinfo=timezone.utc) + timedelta(days=x)
    try:
        assert moment.astimezone(ZoneInfo("Europe/Paris")).hour == 14
    except ZoneInfoNotFoundError:
        pass
    datetime.strptime("2024-02-29", "%Y-%m-%d").strftime("%A %j")
    return x * x + (moment.hour == 12)
