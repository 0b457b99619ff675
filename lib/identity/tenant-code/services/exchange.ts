// One request of an action to another server, and its answer, as a dependency: its implementation (lib/adapters/channels/action-requests.ts) is
// behind the guard of all outgoing requests (threat-model.md SE8).
import type { Readable } from 'node:stream'

export type ExchangeRequest = {
  tenantId: string
  /** The file of the action. */
  action: string
  /** Of a run that a request of an action to its own tenant caused. */
  nested: boolean
  /** Of the request to this server that caused the run. */
  requestId?: string | undefined
  method: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array | null
  /** Ends the request, and the body of its answer. */
  signal: AbortSignal
}

export type Exchanged = {
  status: number
  statusText: string
  headers: [string, string][]
  /** Not decompressed. */
  body: Readable
}

/** Rejects with an error that has a `code`. A redirect is an answer. */
export type SendRequest = (url: URL, request: ExchangeRequest) => Promise<Exchanged>
