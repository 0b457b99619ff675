// What surrounds a hook in the sandbox: it calls the hook with the vendor's arguments for its trigger, and passes what the hook answers to
// `api`. It is no security boundary: the host judges each call. A hook that fails or never calls back has failed, as an action would.
import type { HookTrigger } from './hooks'
import { GEOIP } from './legacy-action'

const COMMON = `${GEOIP}
class $Refusal extends Error {
  constructor(message, friendlyMessage) {
    super(message)
    this.name = new.target.name
    this.friendlyMessage = friendlyMessage
  }
}
class PreUserRegistrationError extends $Refusal {}
class InvalidScopeError extends $Refusal {}
class InvalidRequestError extends $Refusal {}
class ServerError extends $Refusal {}

function $call(event, ...args) {
  const hook = $hook(PreUserRegistrationError, InvalidScopeError, InvalidRequestError, ServerError)
  if (typeof hook !== 'function') throw new TypeError('module.exports is no function')
  return new Promise((resolve, reject) => {
    const returned = hook(...args, (error, answer) => (error ? reject(error) : resolve(answer)))
    if (returned && typeof returned.then === 'function') returned.then(undefined, reject)
  })
}

function $context(event, more) {
  const { connection, request = {}, tenant, client } = event
  return {
    webtask: { secrets: { ...event.secrets } },
    ...(connection ? { connection: { id: connection.id, name: connection.name, tenant: tenant.id } } : {}),
    request: {
      ip: request.ip,
      language: request.language,
      userAgent: request.user_agent,
      hostname: request.hostname,
      query: request.query,
      body: request.body,
      geoip: $geoip(request.geoip),
    },
    ...(client ? { clientID: client.client_id, client: { client_id: client.client_id, name: client.name } } : {}),
    renderLanguage: request.language,
    ...more,
  }
}
`

const PRE_USER_REGISTRATION = `
exports.onExecutePreUserRegistration = async (event, api) => {
  const { user_metadata, app_metadata, ...profile } = event.user
  const { connection, tenant } = event
  const user = { tenant: tenant.id, connection: connection && connection.name, ...profile, user_metadata, app_metadata }
  let answer
  try {
    answer = await $call(event, user, $context(event))
  } catch (error) {
    if (!error || error.name !== 'PreUserRegistrationError') throw error
    return void api.access.deny(String(error.message), error.friendlyMessage && String(error.friendlyMessage))
  }
  const set = (answer && answer.user) || {}
  for (const [name, value] of Object.entries(set.user_metadata || {})) api.user.setUserMetadata(name, value)
  for (const [name, value] of Object.entries(set.app_metadata || {})) api.user.setAppMetadata(name, value)
}
`

const CREDENTIALS_EXCHANGE = `
exports.onExecuteCredentialsExchange = async (event, api) => {
  const { client, resource_server, accessToken, tenant } = event
  const scopes = [...accessToken.scope]
  const about = { id: client.client_id, name: client.name, tenant: tenant.id, metadata: client.metadata }
  let answer
  try {
    answer = await $call(event, about, [...scopes], resource_server.identifier, $context(event))
  } catch (error) {
    const code = { InvalidScopeError: 'invalid_scope', InvalidRequestError: 'invalid_request', ServerError: 'server_error' }[error && error.name]
    if (!code) throw error
    return void api.access.deny(code, String(error.message))
  }
  const { scope = scopes, ...claims } = answer || {}
  const given = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : scope
  if ([...given].sort().join(' ') !== [...scopes].sort().join(' ')) throw new Error('a hook cannot change the scopes here')
  for (const [name, value] of Object.entries(claims)) api.accessToken.setCustomClaim(name, value)
}
`

const userOf = `{ id: event.user.user_id, tenant: event.tenant.id, ...event.user }`

const POST_USER_REGISTRATION = `
exports.onExecutePostUserRegistration = (event) => $call(event, ${userOf}, $context(event))
`

const POST_CHANGE_PASSWORD = `
exports.onExecutePostChangePassword = (event) => $call(event, ${userOf}, $context(event))
`

const SEND_PHONE_MESSAGE = `
exports.onExecuteSendPhoneMessage = (event) => {
  const { recipient, text, message_type, action, code } = event.message_options
  const { ip, user_agent, language } = event.request
  const about = { message_type, action, code, ip, user_agent, language, user: event.user }
  return $call(event, recipient, text, $context(event, about))
}
`

export const HOOK_SHIMS: Readonly<Record<HookTrigger, string>> = {
  'pre-user-registration': COMMON + PRE_USER_REGISTRATION,
  'credentials-exchange': COMMON + CREDENTIALS_EXCHANGE,
  'post-user-registration': COMMON + POST_USER_REGISTRATION,
  'post-change-password': COMMON + POST_CHANGE_PASSWORD,
  'send-phone-message': COMMON + SEND_PHONE_MESSAGE,
}
