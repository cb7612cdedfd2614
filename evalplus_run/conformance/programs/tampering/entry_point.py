# says: an entry point that is a different thing each time it is called or looked at
# promise: never passes


class Entry:
    calls = 0

    def __call__(self, *arguments):
        Entry.calls += 1
        globals()["f"] = None
        return Entry if Entry.calls % 2 else 10

    def __getattribute__(self, name):
        return object.__getattribute__(self, name) if name == "__call__" else True


f = Entry()
