let begin
let isStopped

export class Event {
  #type
  #options
  #prevented = false
  #stopped = false
  #target = null
  constructor(type, options = {}) {
    this.#type = String(type)
    this.#options = options ?? {}
  }
  get type() {
    return this.#type
  }
  get bubbles() {
    return Boolean(this.#options.bubbles)
  }
  get cancelable() {
    return Boolean(this.#options.cancelable)
  }
  get composed() {
    return Boolean(this.#options.composed)
  }
  get target() {
    return this.#target
  }
  get currentTarget() {
    return this.#target
  }
  get srcElement() {
    return this.#target
  }
  get defaultPrevented() {
    return this.#prevented
  }
  get eventPhase() {
    return 0
  }
  get isTrusted() {
    return false
  }
  get timeStamp() {
    return 0
  }
  composedPath() {
    return this.#target ? [this.#target] : []
  }
  preventDefault() {
    if (this.cancelable) this.#prevented = true
  }
  stopPropagation() {}
  stopImmediatePropagation() {
    this.#stopped = true
  }
  get [Symbol.toStringTag]() {
    return 'Event'
  }
  static {
    begin = (event, target) => {
      event.#target = target
    }
    isStopped = (event) => event.#stopped
  }
}

export class CustomEvent extends Event {
  #detail
  constructor(type, options = {}) {
    super(type, options)
    this.#detail = options?.detail ?? null
  }
  get detail() {
    return this.#detail
  }
}

export class EventTarget {
  #listeners = new Map()
  addEventListener(type, listener, options) {
    if (listener === null || listener === undefined) return
    const { once = false, signal } = typeof options === 'object' && options !== null ? options : {}
    if (signal?.aborted) return
    const all = this.#listeners.get(String(type)) ?? []
    if (all.some((each) => each.listener === listener)) return
    this.#listeners.set(String(type), [...all, { listener, once: Boolean(once) }])
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener), { once: true })
  }
  removeEventListener(type, listener) {
    const all = this.#listeners.get(String(type)) ?? []
    this.#listeners.set(
      String(type),
      all.filter((each) => each.listener !== listener),
    )
  }
  dispatchEvent(event) {
    if (!(event instanceof Event)) throw new TypeError('The "event" argument must be an instance of Event')
    begin(event, this)
    const handler = this[`on${event.type}`]
    if (typeof handler === 'function') call(this, handler, event)
    for (const { listener, once } of this.#listeners.get(event.type) ?? []) {
      if (isStopped(event)) break
      if (once) this.removeEventListener(event.type, listener)
      call(this, listener, event)
    }
    return !event.defaultPrevented
  }
  get [Symbol.toStringTag]() {
    return 'EventTarget'
  }
}

/** What a listener throws stops no other. */
function call(target, listener, event) {
  try {
    if (typeof listener === 'function') listener.call(target, event)
    else listener.handleEvent(event)
  } catch (error) {
    void Promise.reject(error)
  }
}
