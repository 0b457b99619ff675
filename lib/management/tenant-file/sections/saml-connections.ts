// SAML 2.0 connections. An entry with neither metadata nor both endpoint and certificate is reported and left out; the
// application of `idpinitiated` is stored by its id.

import { isIdpMetadata } from '../../../crypto/saml/idp-metadata'
import { SAMLP } from '../../../data/connections/saml-options'
import { isJsonObject } from '../../../kernel/json'
import { isWritten, type PlanContext } from '../context'
import type { JsonObject } from '../model'
import { resolveClient } from './clients'
import { type ConnectionKind, entryOf, planConnection } from './connection-rows'

export const SAML: ConnectionKind = {
  section: 'connections',
  strategy: SAMLP,
  entry: entryOf(SAMLP),
  seal: withClientId,
}

export function planSaml(value: JsonObject, path: string, context: PlanContext): void {
  const stored = context.stored.connections.find(({ name }) => name === value.name)?.settings.options
  const options = { ...(isJsonObject(stored) ? stored : {}), ...(isJsonObject(value.options) ? value.options : {}) }
  const { metadataXml, metadataUrl, signInEndpoint, signingCert } = options
  if (isWritten(metadataXml) && !isIdpMetadata(metadataXml)) {
    context.problems.push({ path: `${path}.options.metadataXml`, reason: 'must describe one identity provider' })
  } else if (!metadataXml && !metadataUrl && !(signInEndpoint && signingCert)) {
    context.notApplied.push(
      `${path}: needs options.metadataXml, options.metadataUrl, or options.signInEndpoint and options.signingCert`,
    )
  } else planConnection(SAML, value, path, context)
}

function withClientId(given: JsonObject, _stored: JsonObject, context: PlanContext): JsonObject {
  const { options } = given
  if (!isJsonObject(options) || !isJsonObject(options.idpinitiated)) return given
  const { client_id: reference, ...rest } = options.idpinitiated
  if (typeof reference !== 'string') return given
  const client = resolveClient(reference, context)
  if (!client) context.notApplied.push(`options.idpinitiated.client_id: no client ${JSON.stringify(reference)}`)
  const idpinitiated = client ? { ...rest, client_id: client.clientId } : rest
  return { ...given, options: { ...options, idpinitiated } }
}
