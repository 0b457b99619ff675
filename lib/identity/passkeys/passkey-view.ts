// A passkey as an authentication method, for its owner and for managers.
import type { Passkey } from '../../data/users/passkey'

export function viewOfPasskey(passkey: Passkey) {
  const { id, name, createdAt, lastUsedAt, credentialId, publicKey, multiDevice, backedUp, userAgent } = passkey
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
  return {
    id,
    type: 'passkey',
    ...(name === null ? {} : { name }),
    created_at: createdAt.toISOString(),
    ...(lastUsedAt === null ? {} : { last_auth_at: lastUsedAt.toISOString() }),
    key_id: credentialId,
    public_key: text(publicKey),
    credential_device_type: multiDevice ? 'multi_device' : 'single_device',
    credential_backed_up: backedUp,
    identity_user_id: passkey.providerUserId,
    user_handle: text(passkey.userHandle),
    transports: passkey.transports,
    aaguid: passkey.aaguid,
    relying_party_id: passkey.rpId,
    ...(userAgent === null ? {} : { user_agent: userAgent }),
  }
}
