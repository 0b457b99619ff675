import { DOMException } from './dom-exception.js'
import { Event, EventTarget } from './events.js'

const aborted = () => new DOMException('This operation was aborted', 'AbortError')

export function abort(sys) {
  let making = false
  let end
  const make = () => {
    making = true
    return new AbortSignal()
  }

  class AbortSignal extends EventTarget {
    #aborted = false
    #reason
    onabort = null
    constructor() {
      if (!making) throw new TypeError('Illegal constructor')
      making = false
      super()
    }
    get aborted() {
      return this.#aborted
    }
    get reason() {
      return this.#reason
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason
    }
    get [Symbol.toStringTag]() {
      return 'AbortSignal'
    }
    static abort(reason = aborted()) {
      const signal = make()
      end(signal, reason)
      return signal
    }
    static timeout(milliseconds) {
      const signal = make()
      sys
        .begin('timer', { milliseconds: Math.max(0, Number(milliseconds) || 0) })
        .done.then(() => end(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')))
      return signal
    }
    static any(signals) {
      const signal = make()
      for (const each of signals) {
        if (each.aborted) end(signal, each.reason)
        else each.addEventListener('abort', () => end(signal, each.reason), { once: true })
      }
      return signal
    }
    static {
      end = (signal, reason) => {
        if (signal.#aborted) return
        signal.#aborted = true
        signal.#reason = reason
        signal.dispatchEvent(new Event('abort'))
      }
    }
  }

  class AbortController {
    #signal = make()
    get signal() {
      return this.#signal
    }
    abort(reason = aborted()) {
      end(this.#signal, reason)
    }
    get [Symbol.toStringTag]() {
      return 'AbortController'
    }
  }
  return { AbortController, AbortSignal }
}
