const CODES = {
  ...{ IndexSizeError: 1, HierarchyRequestError: 3, WrongDocumentError: 4, InvalidCharacterError: 5 },
  ...{ NoModificationAllowedError: 7, NotFoundError: 8, NotSupportedError: 9, InvalidStateError: 11, SyntaxError: 12 },
  ...{ InvalidModificationError: 13, NamespaceError: 14, InvalidAccessError: 15, SecurityError: 18, NetworkError: 19 },
  ...{ AbortError: 20, URLMismatchError: 21, QuotaExceededError: 22, TimeoutError: 23, InvalidNodeTypeError: 24 },
  ...{ DataCloneError: 25 },
}

export class DOMException extends Error {
  #name
  #cause
  constructor(message = '', options = 'Error') {
    super(message)
    this.#name = String(typeof options === 'object' && options !== null ? (options.name ?? 'Error') : options)
    if (options?.cause !== undefined) this.#cause = options.cause
  }
  get name() {
    return this.#name
  }
  get cause() {
    return this.#cause
  }
  get code() {
    return CODES[this.#name] ?? 0
  }
  get [Symbol.toStringTag]() {
    return 'DOMException'
  }
}
