// custom-token-exchange: a partner's signed token becomes an account here, whose keys are fetched once and kept.
const { createLocalJWKSet, jwtVerify } = require('jose')
const validator = require('validator')

async function keysOf(url, cache) {
  const kept = cache.get('keys')
  if (kept) return JSON.parse(kept.value)
  const answer = await fetch(url, { headers: new Headers({ accept: 'application/json' }) })
  const text = await answer.text()
  cache.set('keys', text, { ttl: 600_000 })
  return JSON.parse(text)
}

exports.onExecuteCustomTokenExchange = async (event, api) => {
  const { transaction, client, secrets, resource_server } = event
  if (resource_server?.identifier !== secrets.PARTNER_AUDIENCE)
    return api.access.deny('invalid_target', 'Not for this API')
  const keys = createLocalJWKSet(await keysOf(secrets.PARTNER_KEYS_URL, api.cache))
  const options = { issuer: 'https://partner.example', audience: client.client_id, typ: 'partner+jwt' }
  const payload = await jwtVerify(transaction.subject_token, keys, options).then(
    (verified) => verified.payload,
    () => null,
  )
  const { sub = '', email = '', name } = payload ?? {}
  if (!validator.isUUID(sub) || !validator.isEmail(email))
    return api.access.rejectInvalidSubjectToken('Not signed, or not complete')
  api.authentication.setUserByConnection(
    'Users',
    { user_id: sub, email, email_verified: true, name, verify_email: false },
    { creationBehavior: 'create_if_not_exists', updateBehavior: 'replace' },
  )
  api.user.setAppMetadata('partner', 'yes')
}
