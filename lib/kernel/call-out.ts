// Outbound requests as a dependency: upstream providers and metadata addresses are called through this port. Its implementation
// (lib/adapters/channels/call-out.ts) guards against SSRF (threat-model.md SE8).
import { inWords } from './network-failure'

export type OutgoingRequest = {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
  /** How long the whole exchange may take; 10 without it. */
  seconds?: number
  /** No tenant chose the address: it is in our own code. */
  fixed?: boolean
}

export type IncomingAnswer = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array<ArrayBuffer>
}

/** Rejects with a `CallOutError` without a complete response. A redirect is a response and is not followed. */
export type CallOut = (address: string, request: OutgoingRequest) => Promise<IncomingAnswer>

/** `reason` is a code such as ECONNREFUSED, and the message says it in words: neither has an address or a response. */
export class CallOutError extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(inWords(reason), { cause })
    this.name = 'CallOutError'
  }
}
