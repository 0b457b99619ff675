// WS-Federation connections of strategy `adfs`. An entry with neither the provider's metadata nor the settings that replace it is
// reported and left out.

import { isFederationMetadata } from '../../../crypto/saml/federation-metadata'
import { ADFS } from '../../../data/connections/wsfed-options'
import { isJsonObject } from '../../../kernel/json'
import { isWritten, type PlanContext } from '../context'
import type { JsonObject } from '../model'
import { type ConnectionKind, entryOf, planConnection } from './connection-rows'

export const ADFS_KIND: ConnectionKind = {
  section: 'connections',
  strategy: ADFS,
  entry: entryOf(ADFS),
}

export function planAdfs(value: JsonObject, path: string, context: PlanContext): void {
  const stored = context.stored.connections.find(({ name }) => name === value.name)?.settings.options
  const options = { ...(isJsonObject(stored) ? stored : {}), ...(isJsonObject(value.options) ? value.options : {}) }
  const { adfs_server, fedMetadataXml, signInEndpoint, signingCert, idpEntityId } = options
  if (isWritten(fedMetadataXml) && fedMetadataXml !== '' && !isFederationMetadata(fedMetadataXml)) {
    context.problems.push({ path: `${path}.options.fedMetadataXml`, reason: 'must describe one token service' })
  } else if (!adfs_server && !fedMetadataXml && !(signInEndpoint && signingCert && idpEntityId)) {
    context.notApplied.push(
      `${path}: needs options.adfs_server, options.fedMetadataXml, or options.signInEndpoint, options.signingCert and options.idpEntityId`,
    )
  } else planConnection(ADFS_KIND, value, path, context)
}
