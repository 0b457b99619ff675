// Who must prove possession of a key to get an access token (RFC 9449): clients and APIs that say so.
import type { Api } from '../data/apis/api'
import type { Client } from '../data/clients/client'
import { DomainError } from '../kernel/errors'

/** Throws where no key is proven although the client or the API demands one. */
export function demandProof(jkt: string | undefined, client: Client, api: Api | null): void {
  if (jkt !== undefined || !needsProof(client, api)) return
  throw new DomainError('invalid_dpop_proof', 'A DPoP proof is required')
}

export function needsProof({ settings, isPublic }: Client, api: Api | null): boolean {
  if (settings.require_proof_of_possession) return true
  const demanded = api?.settings.proof_of_possession
  return demanded?.required === true && (isPublic || demanded.required_for !== 'public_clients')
}
