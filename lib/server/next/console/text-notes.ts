// What a text says that a person can hardly read: the certificates in it, and the addresses in metadata.
import { X509Certificate } from 'node:crypto'
import { certificatesOf, pemOf } from '../../../crypto/saml/certificate'
import { isFederationMetadata, readFederationMetadata } from '../../../crypto/saml/federation-metadata'
import { isIdpMetadata, readIdpMetadata } from '../../../crypto/saml/idp-metadata'
import { say } from '../../../text/console'
import type { TextFormat } from './field'

export function textNotes(format: TextFormat, text: unknown): string[] {
  if (typeof text !== 'string' || text === '') return []
  if (format === 'certificate') return certificatesOf(text).map(certificateNote)
  return format === 'metadata' ? metadataNotes(text) : []
}

/** `der`: base64. */
function certificateNote(der: string): string {
  const { subject, validTo } = new X509Certificate(pemOf(der))
  return say('note.certificate', { subject: subject.split('\n').join(', '), until: dayOf(new Date(validTo)) })
}

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

function metadataNotes(xml: string): string[] {
  if (isIdpMetadata(xml)) {
    const { entityId, signIn, signOut, certificates, validUntil } = readIdpMetadata(xml)
    return [
      say('note.entity', { entity: entityId }),
      ...addressNotes('note.sign_in', Object.values(signIn)),
      ...addressNotes('note.sign_out', Object.values(signOut)),
      ...certificates.map(certificateNote),
      ...(validUntil ? [say('note.until', { until: dayOf(validUntil) })] : []),
    ]
  }
  if (!isFederationMetadata(xml)) return []
  const { entityId, passive, certificates, validUntil } = readFederationMetadata(xml)
  return [
    say('note.entity', { entity: entityId }),
    ...addressNotes('note.sign_in', passive === null ? [] : [passive]),
    ...certificates.map(certificateNote),
    ...(validUntil ? [say('note.until', { until: dayOf(validUntil) })] : []),
  ]
}

const addressNotes = (key: 'note.sign_in' | 'note.sign_out', addresses: readonly string[]): string[] =>
  [...new Set(addresses)].map((address) => say(key, { address }))
