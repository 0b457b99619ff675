/** setTimeout and its family. A timer that is pending when the handler ends is given up with the run. */
export function timers(sys) {
  const running = new Map()
  let count = 0

  function start(callback, delay, args, repeats) {
    if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function')
    count += 1
    const number = count
    const wait = () => {
      const { id, done } = sys.begin('timer', { milliseconds: Math.max(0, Number(delay) || 0) })
      running.set(number, id)
      done.then(() => {
        if (!running.has(number)) return
        if (repeats) wait()
        else running.delete(number)
        callback(...args)
      })
    }
    wait()
    return new Timeout(number)
  }
  function stop(timer) {
    const number = timer instanceof Timeout ? timer.number : Number(timer)
    const id = running.get(number)
    running.delete(number)
    if (id !== undefined) sys.cancel(id)
  }

  return {
    setTimeout: (callback, delay, ...args) => start(callback, delay, args, false),
    setInterval: (callback, delay, ...args) => start(callback, Math.max(1, Number(delay) || 1), args, true),
    setImmediate: (callback, ...args) => start(callback, 0, args, false),
    clearTimeout: stop,
    clearInterval: stop,
    clearImmediate: stop,
    queueMicrotask: (callback) => void Promise.resolve().then(callback),
  }
}

class Timeout {
  constructor(number) {
    this.number = number
  }
  ref() {
    return this
  }
  unref() {
    return this
  }
  hasRef() {
    return true
  }
  [Symbol.toPrimitive]() {
    return this.number
  }
}
