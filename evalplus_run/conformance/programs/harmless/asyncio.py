# says: computes in coroutines, tasks, time-outs and a thread of the loop
# promise: passes
import asyncio


async def square(x):
    await asyncio.sleep(0.001)
    return x * x


async def total(x):
    queue = asyncio.Queue()
    await queue.put(1)
    first, second = await asyncio.gather(square(x), asyncio.wait_for(queue.get(), 5))
    return first + await asyncio.to_thread(int, second)


def f(x):
    return asyncio.run(total(x))
