# says: follows its callers with a trace and a profile function that change what they return
# promise: never passes
import sys
import threading


def meddle(frame, event, argument):
    for name in ("payload", "value", "kind", "error"):
        if name in frame.f_locals:
            frame.f_locals[name] = b"N"
    return meddle


def f(x):
    frame = sys._getframe()
    while frame:
        frame.f_trace = meddle
        frame.f_trace_opcodes = True
        frame = frame.f_back
    threading.setprofile(meddle)
    sys.setprofile(meddle)
    sys.settrace(meddle)
    return 0
