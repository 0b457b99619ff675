// Valid responses of an identity provider, for tests that modify them.

import {
  type Attribute,
  type IssuedAssertion,
  type Status,
  writeAssertion,
  writeResponse,
} from '../crypto/saml/messages'
import { NAME_ID, STATUS } from '../crypto/saml/names'
import { encryptAssertion } from '../crypto/saml/samlify'
import { type SigningOptions, signXml } from '../crypto/saml/sign'
import { addSeconds } from '../kernel/clock'
import type { Partner } from './saml'

export type SamlAnswerOptions = {
  now: Date
  /** The address and entity id of the server under test, and the id of its request. */
  recipient: string
  audience: string
  inResponseTo: string | null
  nameId?: string
  attributes?: Record<string, string[]>
  assertion?: Partial<IssuedAssertion>
  /** Overrides of the enclosing response. */
  answer?: Partial<Parameters<typeof writeResponse>[0]>
  status?: Status
  sign?: 'assertion' | 'response' | 'both' | 'neither'
  options?: SigningOptions
  /** The recipient's certificate, base64 of its DER. */
  encryptTo?: string
  /** Changes the assertion before it is signed. */
  bend?: (assertion: string) => string
}

export const IDP = 'https://idp.test/saml'
const SHA256: SigningOptions = { signature: 'sha256', digest: 'sha256' }

let made = 0

export async function samlAnswer(by: Partner, expected: SamlAnswerOptions): Promise<string> {
  const { sign = 'assertion', options = SHA256, bend = (xml) => xml } = expected
  const plain = bend(writeAssertion(assertionOf(expected)))
  const inner = sign === 'assertion' || sign === 'both' ? await signXml(plain, by, options) : plain
  const open = writeResponse(answerOf(expected), expected.status ? null : inner)
  const around = expected.encryptTo === undefined ? open : await encryptAssertion(open, expected.encryptTo)
  return sign === 'response' || sign === 'both' ? signXml(around, by, options) : around
}

function assertionOf({
  now,
  recipient,
  audience,
  inResponseTo,
  nameId,
  attributes,
  assertion,
}: SamlAnswerOptions): IssuedAssertion {
  return {
    id: `_a${++made}`,
    issuer: IDP,
    audience,
    recipient,
    inResponseTo,
    nameId: { value: nameId ?? 'kim', format: NAME_ID.persistent },
    issuedAt: now,
    expiresAt: addSeconds(now, 300),
    authenticatedAt: now,
    sessionIndex: 's1',
    contextClass: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
    attributes: Object.entries(attributes ?? {}).map(([name, values]): Attribute => ({ name, format: null, values })),
    typed: true,
    ...assertion,
  }
}

const answerOf = ({ now, recipient, inResponseTo, status, answer }: SamlAnswerOptions) => ({
  id: `_r${++made}`,
  issuer: IDP,
  at: now,
  destination: recipient,
  inResponseTo,
  status: status ?? { code: STATUS.success },
  ...answer,
})

export const encoded = (xml: string): string => Buffer.from(xml).toString('base64')
