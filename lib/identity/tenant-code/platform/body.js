// The bodies of requests and responses. A body is a source that is read once: `{ read(whole?): Promise<Uint8Array | null>, cancel() }`, or a stream
// once its owner has looked at it.
import { joined, viewOf } from './bytes.js'

export function bodies({ Blob, FormData, ReadableStream, TextDecoder, TextEncoder, URLSearchParams, ...forms }) {
  const { contentOf, multipart, readMultipart } = forms

  const sourceOfBytes = (bytes) => {
    let rest = bytes.length === 0 ? null : bytes
    return {
      bytes,
      async read() {
        const all = rest
        rest = null
        return all
      },
      cancel() {},
    }
  }

  const sourceOfStream = (stream) => {
    const reader = stream.getReader()
    return {
      async read() {
        const { done, value } = await reader.read()
        if (done) return null
        const view = viewOf(value)
        if (!view) throw new TypeError('Received non-Uint8Array chunk')
        return view
      },
      cancel: (reason) => reader.cancel(reason),
    }
  }

  /** What the author passes as a body: its source or stream, and its content type. */
  function given(body) {
    if (body instanceof ReadableStream) {
      if (body.locked) throw new TypeError('Response body object should not be disturbed or locked')
      return { stream: body, type: null }
    }
    const bytes = (view, type) => ({ source: sourceOfBytes(view), type })
    if (body instanceof URLSearchParams)
      return bytes(new TextEncoder().encode(body.toString()), 'application/x-www-form-urlencoded;charset=UTF-8')
    if (body instanceof FormData) {
      const { bytes: view, type } = multipart(body)
      return bytes(view, type)
    }
    if (body instanceof Blob) return bytes(contentOf(body), body.type || null)
    const view = viewOf(body)
    if (view) return bytes(view.slice(), null)
    if (typeof body === 'object' && typeof body[Symbol.asyncIterator] === 'function')
      return { stream: ReadableStream.from(body), type: null }
    return bytes(new TextEncoder().encode(String(body)), 'text/plain;charset=UTF-8')
  }

  const streamOf = (source) =>
    new ReadableStream(
      {
        async pull(controller) {
          const part = await source.read()
          if (part === null) controller.close()
          else controller.enqueue(part)
        },
        cancel: (reason) => source.cancel(reason),
      },
      { highWaterMark: 0 },
    )

  let keep
  let contentIn
  let has
  let move
  class Body {
    #source = null
    #stream = null
    #used = false
    get body() {
      if (this.#source) {
        this.#stream = this.#used ? closed() : streamOf(this.#source)
        this.#source = null
      }
      return this.#stream
    }
    get bodyUsed() {
      return this.#used || (this.#stream !== null && (this.#stream.locked || isDisturbed(this.#stream)))
    }
    async bytes() {
      return this.#whole()
    }
    async arrayBuffer() {
      const { buffer, byteOffset, byteLength } = await this.#whole()
      return buffer.slice(byteOffset, byteOffset + byteLength)
    }
    async blob() {
      return new Blob([await this.#whole()], { type: this.headers.get('content-type') ?? '' })
    }
    async text() {
      return new TextDecoder().decode(await this.#whole())
    }
    async json() {
      return JSON.parse(await this.text())
    }
    async formData() {
      const type = this.headers.get('content-type') ?? ''
      if (/^multipart\/form-data\b/i.test(type)) return readMultipart(await this.#whole(), type)
      if (!/^application\/x-www-form-urlencoded\b/i.test(type))
        throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".')
      const form = new FormData()
      for (const [name, value] of new URLSearchParams(await this.text())) form.append(name, value)
      return form
    }
    async #whole() {
      if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read')
      if (!this.#source && !this.#stream) return new Uint8Array(0)
      const source = this.#source ?? sourceOfStream(this.#stream)
      this.#used = true
      const parts = []
      for (let part = await source.read(true); part !== null; part = await source.read(true)) parts.push(part)
      return parts.length === 0 ? new Uint8Array(0) : joined(parts)
    }
    static {
      keep = (body, { source = null, stream = null }) => {
        body.#source = source
        body.#stream = stream
      }
      contentIn = (body) => body.#whole()
      has = (body) => body.#source !== null || body.#stream !== null
      move = (from, to) => {
        keep(to, { source: from.#source, stream: from.#stream })
        from.#used = has(to)
      }
    }
  }

  /** A body for a clone; the original keeps one of its own. */
  function split(from) {
    if (from.bodyUsed) throw new TypeError('Response.clone: Body has already been consumed.')
    const stream = from.body
    if (!stream) return {}
    const [first, second] = stream.tee()
    keep(from, { stream: first })
    return { stream: second }
  }

  const closed = () => {
    const stream = new ReadableStream({ start: (controller) => controller.close() })
    stream.getReader()
    return stream
  }
  /** The package has the state that the standard does not show. */
  const isDisturbed = (stream) => stream._disturbed === true

  return { Body, given, keep, contentIn, has, move, split }
}
