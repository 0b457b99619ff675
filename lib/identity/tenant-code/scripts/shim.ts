// What surrounds rules in the sandbox: it gives them the vendor's `user` and `context`, runs them in their order, and passes what they set to
// `api`. It is no security boundary: the host judges each call.
// - A rule that fails, never calls back, or sets what does not exist here fails the login.
// - Metadata is kept by `auth0.users` alone; what a rule writes to `user` is seen by later rules.
import { DEFAULT_MAPPINGS } from '../../../data/clients/saml'
import { GEOIP } from './legacy-action'

export const SHIM = `${GEOIP}
const $attributes = ${JSON.stringify(DEFAULT_MAPPINGS)}
exports.onExecutePostLogin = (event, api) => $login(event, api, event.transaction && event.transaction.protocol)
exports.onContinuePostLogin = (event, api) => $login(event, api, 'redirect-callback')

class UnauthorizedError extends Error {
  constructor(message) {
    super(message)
    this.name = 'UnauthorizedError'
    this.code = 'unauthorized'
  }
}

async function $login(event, api, protocol) {
  let user = event.user
  let context = $context(event, protocol)
  const before = JSON.stringify($profile(user))
  const rules = $rules($auth0(event, api), Object.freeze({ ...event.secrets }), UnauthorizedError)
  for (const [name, rule] of rules) {
    try {
      const passed = await $run(rule, user, context)
      user = passed[0] || user
      context = passed[1] || context
    } catch (error) {
      if (error && error.name === 'UnauthorizedError') return void api.access.deny(String(error.message))
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error('the rule "' + name + '" failed: ' + reason)
    }
  }
  const isMapped = context.samlConfiguration && context.samlConfiguration.mappings
  if (JSON.stringify($profile(user)) !== before && !isMapped)
    console.warn('What rules write to the profile of the user has no effect')
  $apply(event, api, user, context)
}

function $run(rule, user, context) {
  return new Promise((resolve, reject) => {
    const callback = (error, ...passed) => (error ? reject(error) : resolve(passed))
    const returned = rule(user, context, callback)
    if (returned && typeof returned.then === 'function') returned.then(undefined, reject)
  })
}

function $profile(user) {
  const { user_metadata, app_metadata, ...profile } = user
  return profile
}

function $context(event, protocol) {
  const { client, connection, request, tenant, transaction, organization, authentication, authorization, session, stats } = event
  const scope = transaction && transaction.requested_scopes
  return {
    tenant: tenant.id,
    clientID: client.client_id,
    clientName: client.name,
    clientMetadata: client.metadata,
    connectionID: connection.id,
    connection: connection.name,
    connectionStrategy: connection.strategy,
    connectionMetadata: connection.metadata,
    connectionOptions: {},
    protocol,
    stats: { loginsCount: stats.logins_count },
    sessionID: session && session.id,
    request: {
      userAgent: request.user_agent,
      ip: request.ip,
      hostname: request.hostname,
      query: request.query,
      body: request.body,
      geoip: $geoip(request.geoip),
    },
    authentication: authentication || { methods: [] },
    riskAssessment: authentication && authentication.riskAssessment,
    authorization: authorization || { roles: [] },
    organization,
    sso: {},
    samlConfiguration: {},
    accessToken: scope ? { scope: [...scope] } : {},
    idToken: {},
  }
}

function $auth0(event, api) {
  const setter = (method) => async (id, values) => {
    if (id !== event.user.user_id) throw new Error('auth0.users changes the user of the login alone')
    for (const [name, value] of Object.entries(values || {})) api.user[method](name, value)
  }
  return {
    users: { updateUserMetadata: setter('setUserMetadata'), updateAppMetadata: setter('setAppMetadata') },
    domain: event.request.hostname,
  }
}

// Mappings name an attribute and the field of the user that it has; those that the profile has anyway change nothing.
function $saml(user, before, saml, { mappings, ...settings }) {
  for (const [name, field] of Object.entries(mappings || {})) {
    const value = user[field]
    const isKept = $attributes[field] === name && JSON.stringify(value) === JSON.stringify(before[field])
    if (!isKept && value !== undefined && value !== null) saml.setAttribute(name, value)
  }
  for (const [name, value] of Object.entries(settings)) {
    const method = 'set' + name.charAt(0).toUpperCase() + name.slice(1)
    if (typeof saml[method] !== 'function') throw new Error('context.samlConfiguration.' + name + ' does not exist here')
    saml[method](value)
  }
}

function $apply(event, api, user, { idToken, accessToken, multifactor, redirect, samlConfiguration, primaryUser }) {
  if (primaryUser) api.authentication.setPrimaryUser(primaryUser)
  $saml(user, event.user, api.samlResponse, samlConfiguration || {})
  for (const [name, value] of Object.entries(idToken || {})) api.idToken.setCustomClaim(name, value)
  const { scope, ...claims } = accessToken || {}
  for (const [name, value] of Object.entries(claims)) api.accessToken.setCustomClaim(name, value)
  const requested = (event.transaction && event.transaction.requested_scopes) || []
  const scopes = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : scope || requested
  for (const each of requested) if (!scopes.includes(each)) api.accessToken.removeScope(each)
  for (const each of scopes) if (!requested.includes(each)) api.accessToken.addScope(each)
  if (multifactor && multifactor.provider) {
    const { provider, allowRememberBrowser = true, ignoreCookie = false } = multifactor
    api.multifactor.enable(provider, { allowRememberBrowser: allowRememberBrowser && !ignoreCookie })
  }
  if (redirect && redirect.url) api.redirect.sendUserTo(redirect.url)
}
`
