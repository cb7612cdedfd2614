# says: makes code while it runs, and looks at its own
# promise: passes
import ast
import dis
import inspect
import io


def f(x):
    scope = {}
    exec(compile("def g(x):\n    return x * x", "<word>", "exec"), scope)
    assert ast.literal_eval("[1]") == [1] and inspect.signature(f).parameters and eval("1 + 1") == 2
    dis.dis(f, file=io.StringIO())
    try:
        inspect.getsource(f)
    except OSError:
        pass
    return scope["g"](x) + 1
