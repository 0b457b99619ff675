// Calls every method of the vendor's SDK `auth0` 7.x that has an operation here, unmodified. A separate process because Node.js reads
// trusted authorities at its start only. Reads its task as JSON from its argument; writes as JSON what each method sends (`sends`) and
// how each call ended (`ended`): 'ok', or the status of the refusal.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { ManagementClient } from 'auth0-management'

const { domain, clientId, clientSecret } = JSON.parse(process.argv[2])
const origin = `https://${domain}`
const PASSWORD = 'Lantern over the 7 harbours'
const CALLBACK = 'https://methods.test/callback'
const MESSAGE = { enrollment_message: '{{code}} enrols', verification_message: '{{code}} verifies' }

const TEXT = { bold: false, size: 100 }
const COLOURS = `body_text error header icons input_background input_border input_filled_text input_labels_placeholders
  links_focused_components primary_button primary_button_label secondary_button_border secondary_button_label success
  widget_background widget_border`
const THEME = {
  borders: {
    button_border_radius: 3,
    button_border_weight: 1,
    buttons_style: 'rounded',
    input_border_radius: 3,
    input_border_weight: 1,
    inputs_style: 'rounded',
    show_widget_shadow: true,
    widget_border_weight: 0,
    widget_corner_radius: 5,
  },
  colors: Object.fromEntries(COLOURS.split(/\s+/).map((name) => [name, '#1d5445'])),
  fonts: {
    body_text: TEXT,
    buttons_text: TEXT,
    font_url: '',
    input_labels: TEXT,
    links: TEXT,
    links_style: 'normal',
    reference_text_size: 16,
    subtitle: TEXT,
    title: TEXT,
  },
  page_background: { background_color: '#000000', background_image_url: '', page_layout: 'center' },
  widget: {
    header_text_alignment: 'center',
    logo_height: 52,
    logo_position: 'center',
    logo_url: '',
    social_buttons_layout: 'bottom',
  },
}

/** Every method of an object's class and of what its getters return, by its path: `users.roles.list`. */
function* methodsIn(object, path = []) {
  for (let proto = Object.getPrototypeOf(object); proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(proto))) {
      if (name === 'constructor' || name.startsWith('_')) continue
      if (typeof value === 'function')
        yield { name: [...path, name].join('.'), call: (...args) => object[name](...args) }
      else if (get && typeof object[name] === 'object') yield* methodsIn(object[name], [...path, name])
    }
  }
}

/** What each method sends, without a server: the method and path of its request, with `p1`, `p2` … for its identifiers. */
async function requestsOfMethods() {
  const sent = {}
  let current = ''
  const fetch = async (url, { method }) => {
    sent[current] ??= `${method} ${new URL(url).pathname}`
    return Response.json({})
  }
  const api = new ManagementClient({ domain: 'none.test', token: 'none', fetch })
  const body = { users: new Blob(['[]']), connection_id: 'con' }
  for (const { name, call } of methodsIn(api)) {
    current = name
    // A method takes as many identifiers as its path has, and then an object. With too many it sends no request or a wrong one.
    for (let identifiers = 4; identifiers >= 0 && !sent[name]; identifiers--) {
      const args = Array.from({ length: identifiers }, (_, index) => `p${index + 1}`)
      await call(...args, body).catch(() => {})
    }
  }
  return sent
}

/** The SDK with every call noted in `ended`; a page counts as ended when all of its entries were read. */
function noting(object, ended, path = []) {
  return new Proxy(object, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value === 'object' && value !== null) return noting(value, ended, [...path, name])
      if (typeof value !== 'function') return value
      return async (...args) => {
        const method = [...path, name].join('.')
        try {
          const answer = await value.apply(target, args)
          const entries = []
          if (answer?.[Symbol.asyncIterator]) for await (const entry of answer) entries.push(entry)
          ended[method] = 'ok'
          return answer?.[Symbol.asyncIterator] ? entries : answer
        } catch (error) {
          if (error.statusCode === undefined) throw error
          ended[method] ??= error.statusCode
          return { refused: `${method}: ${error.statusCode} ${JSON.stringify(error.body)}` }
        }
      }
    },
  })
}

/** A login in a browser without a screen: cookies, redirects and the form of the login page. */
async function signIn({ client_id, client_secret }, username) {
  const cookies = new Map()
  const send = async (path, init = {}) => {
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(new URL(path, origin), { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) cookies.set(...line.split(';', 1)[0].split(/=(.*)/s))
    return { location: answer.headers.get('location'), text: await answer.text() }
  }
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid offline_access',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { location } = await send(`/authorize?${query}`)
  const { text } = await send(location)
  const hidden = text.matchAll(/<input type="hidden"\s+name="([^"]+)"\s+value="([^"]*)"/g)
  const form = { ...Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, value])), action: 'login' }
  const body = new URLSearchParams({ ...form, username, password: PASSWORD })
  const landed = await send('/u/submit', { method: 'POST', body })
  const code = new URL(landed.location, origin).searchParams.get('code')
  const json = {
    grant_type: 'authorization_code',
    client_id,
    client_secret,
    code,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/oauth/token`, { method: 'POST', headers, body: JSON.stringify(json) })
  if (!answer.ok) throw new Error(await answer.text())
}

const ended = {}
const api = noting(new ManagementClient({ domain, clientId, clientSecret }), ended)

const connection = await api.connections.create({ name: 'methods', strategy: 'auth0' })
const newUser = (name, members = {}) =>
  api.users.create({
    connection: 'methods',
    email: `${name}@methods.test`,
    password: PASSWORD,
    email_verified: true,
    ...members,
  })
const client = await api.clients.create({
  name: 'Methods',
  app_type: 'regular_web',
  callbacks: [CALLBACK],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  initiate_login_uri: 'https://methods.test/login',
  organization_usage: 'allow',
})
const server = await api.resourceServers.create({
  identifier: 'https://methods.test/api',
  name: 'Methods',
  scopes: [{ value: 'read:it' }],
})
const permissions = { permissions: [{ resource_server_identifier: server.identifier, permission_name: 'read:it' }] }
const role = await api.roles.create({ name: 'Methods' })
const user = await newUser('one')
const other = await newUser('two')
await api.connections.clients.update(connection.id, [{ client_id: client.client_id, status: true }])

/** The id of a run of the action in a login. A change of the bindings reaches logins within a second. */
async function executionOf(action) {
  for (let attempts = 0; attempts < 60; attempts++) {
    await signIn(client, user.email)
    const answer = await api.fetch(`${origin}/api/v2/actions/executions?action_name=${action}&take=1`, {})
    if (!answer.ok) throw new Error(await answer.text())
    const [execution] = (await answer.json()).executions
    if (execution) return execution.id
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`${action} did not run`)
}

const GROUPS = {
  async clients() {
    await api.clients.list()
    await api.clients.get(client.client_id)
    await api.clients.update(client.client_id, { description: 'changed' })
    client.client_secret = (await api.clients.rotateSecret(client.client_id)).client_secret
    const { publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const credential = await api.clients.credentials.create(client.client_id, {
      credential_type: 'public_key',
      name: 'k',
      pem: publicKey,
    })
    await api.clients.credentials.list(client.client_id)
    await api.clients.credentials.get(client.client_id, credential.id)
    await api.clients.credentials.update(client.client_id, credential.id, { expires_at: '2099-01-01T00:00:00.000Z' })
    await api.clients.credentials.delete(client.client_id, credential.id)
    const grant = await api.clientGrants.create({
      client_id: client.client_id,
      audience: server.identifier,
      scope: [],
      organization_usage: 'allow',
    })
    await api.clientGrants.list()
    await api.clientGrants.get(grant.id)
    await api.clientGrants.update(grant.id, { scope: ['read:it'] })
    await api.clientGrants.organizations.list(grant.id)
    const org = await api.organizations.create({ name: 'granted' })
    await api.organizations.clientGrants.create(org.id, { grant_id: grant.id })
    await api.organizations.clientGrants.list(org.id)
    await api.organizations.clientGrants.delete(org.id, grant.id)
    await api.clientGrants.delete(grant.id)
    await api.organizations.delete(org.id)
    const { client_id } = await api.clients.create({ name: 'Short-lived' })
    await api.clients.delete(client_id)
  },

  async 'APIs and roles'() {
    await api.resourceServers.list()
    await api.resourceServers.get(server.id)
    await api.resourceServers.update(server.id, { token_lifetime: 600 })
    const { id } = await api.resourceServers.create({ identifier: 'https://methods.test/short' })
    await api.resourceServers.delete(id)
    await api.roles.list()
    await api.roles.get(role.id)
    await api.roles.update(role.id, { description: 'changed' })
    await api.roles.permissions.add(role.id, permissions)
    await api.roles.permissions.list(role.id)
    await api.roles.permissions.delete(role.id, permissions)
    await api.roles.users.assign(role.id, { users: [user.user_id] })
    await api.roles.users.list(role.id)
    await api.users.roles.list(user.user_id)
    await api.users.roles.delete(user.user_id, { roles: [role.id] })
    await api.users.roles.assign(user.user_id, { roles: [role.id] })
    await api.users.permissions.create(user.user_id, permissions)
    await api.users.permissions.list(user.user_id)
    await api.users.permissions.delete(user.user_id, permissions)
    const short = await api.roles.create({ name: 'Short-lived' })
    await api.roles.delete(short.id)
  },

  async connections() {
    await api.connections.list()
    await api.connections.get(connection.id)
    await api.connections.update(connection.id, { options: { brute_force_protection: true } })
    await api.connections.checkStatus(connection.id)
    await api.connections.clients.get(connection.id)
    const leaving = await newUser('leaving')
    await api.connections.users.deleteByEmail(connection.id, { email: leaving.email })
    const { id } = await api.connections.create({ name: 'short-lived', strategy: 'auth0' })
    await api.connections.delete(id)
  },

  async users() {
    await api.users.list({ q: 'email:"one@methods.test"' })
    await api.users.listUsersByEmail({ email: user.email })
    await api.users.get(user.user_id)
    await api.users.update(user.user_id, { user_metadata: { boat: 'dinghy' } })
    await api.users.logs.list(user.user_id)
    await api.users.organizations.list(user.user_id)
    await api.users.enrollments.get(user.user_id)
    const [provider, id] = other.user_id.split('|')
    await api.users.identities.link(user.user_id, { provider, user_id: id })
    await api.users.identities.delete(user.user_id, provider, id)
    const short = await newUser('short')
    await api.users.delete(short.user_id)
  },

  async factors() {
    const id = user.user_id
    const methods = api.users.authenticationMethods
    const made = await methods.create(id, { type: 'phone', phone_number: '+4915112349167', name: 'Mobile' })
    await methods.list(id)
    await methods.get(id, made.id)
    await methods.update(id, made.id, { name: 'Other' })
    await methods.delete(id, made.id)
    const [set] = await methods.set(id, [{ type: 'email', email: 'one@methods.test' }])
    await api.guardian.enrollments.get(set.id)
    await api.guardian.enrollments.delete(set.id)
    await methods.deleteAll(id)
    await api.users.authenticators.deleteAll(id)
    await api.users.multifactor.invalidateRememberBrowser(id)
    await api.users.multifactor.deleteProvider(id, 'google-authenticator')
    const { factors, policies } = api.guardian
    await factors.list()
    await factors.set('otp', { enabled: true })
    await api.guardian.enrollments.createTicket({ user_id: id })
    await policies.list()
    await policies.set(['all-applications'])
    await policies.set([])
    await factors.phone.getMessageTypes()
    await factors.phone.setMessageTypes({ message_types: ['sms'] })
    await factors.phone.getSelectedProvider()
    await factors.phone.setProvider({ provider: 'auth0' })
    await factors.phone.getTemplates()
    await factors.phone.setTemplates(MESSAGE)
    await factors.phone.getTwilioProvider()
    await factors.phone.setTwilioProvider({ from: '+15005550006', sid: `AC${'0'.repeat(32)}`, auth_token: 'token' })
    await factors.sms.getSelectedProvider()
    await factors.sms.setProvider({ provider: 'auth0' })
    await factors.sms.getTemplates()
    await factors.sms.setTemplates(MESSAGE)
    await factors.sms.getTwilioProvider()
    await factors.sms.setTwilioProvider({ from: '+15005550006', sid: `AC${'0'.repeat(32)}`, auth_token: 'token' })
    const push = factors.pushNotification
    await push.getApnsProvider()
    await push.setApnsProvider({ sandbox: false, bundle_id: 'test' })
    await push.updateApnsProvider({ sandbox: false, bundle_id: 'test' })
    await push.setFcmProvider({ server_key: 'key' })
    await push.updateFcmProvider({ server_key: 'key' })
    await push.setFcmv1Provider({ server_credentials: '{}' })
    await push.updateFcmv1Provider({ server_credentials: '{}' })
    await push.getSnsProvider()
    await push.setSnsProvider({ aws_region: 'eu-west-1' })
    await push.updateSnsProvider({ aws_region: 'eu-west-1' })
    await push.getSelectedProvider()
    await push.setProvider({ provider: 'guardian' })
    await factors.duo.settings.get()
    await factors.duo.settings.set({ ikey: 'i', skey: 's', host: 'duo.test' })
    await factors.duo.settings.update({ host: 'duo.test' })
  },

  async logins() {
    const { user_id } = user
    await signIn(client, user.email)
    const [session] = await api.users.sessions.list(user_id)
    await api.sessions.get(session.id)
    await api.sessions.update(session.id, { session_metadata: { a: '1' } })
    const [token] = await api.users.refreshToken.list(user_id)
    await api.refreshTokens.list({ user_id })
    await api.refreshTokens.get(token.id)
    await api.refreshTokens.update(token.id, { refresh_token_metadata: { a: '1' } })
    await api.deviceCredentials.list({ user_id })
    await api.deviceCredentials.delete('dcr_none')
    await signIn(client, user.email)
    const [next] = await api.users.refreshToken.list(user_id)
    await api.refreshTokens.delete(next.id)
    await api.refreshTokens.revoke({ user_id })
    await api.users.refreshToken.delete(user_id)
    for (const { id } of await api.users.sessions.list(user_id)) {
      await api.sessions.revoke(id)
      await api.sessions.delete(id)
    }
    await api.users.sessions.delete(user_id)
    await api.users.revokeAccess(user_id, {})
    await api.userGrants.list({ user_id })
    await api.userGrants.delete('cgr_none')
    await api.userGrants.deleteByUserId({ user_id })
    await api.userBlocks.list(user_id)
    await api.userBlocks.delete(user_id)
    await api.userBlocks.listByIdentifier({ identifier: user.email })
    await api.userBlocks.deleteByIdentifier({ identifier: user.email })
    await api.anomaly.blocks.checkIp('192.0.2.1')
    await api.anomaly.blocks.unblockIp('192.0.2.1')
  },

  async organizations() {
    const many = api.organizations
    const { id } = await many.create({ name: 'acme' })
    await many.list()
    await many.get(id)
    await many.getByName('acme')
    await many.update(id, { display_name: 'Acme' })
    await many.enabledConnections.add(id, { connection_id: connection.id })
    await many.enabledConnections.list(id)
    await many.enabledConnections.get(id, connection.id)
    await many.enabledConnections.update(id, connection.id, { assign_membership_on_login: true })
    await many.enabledConnections.delete(id, connection.id)
    await many.connections.create(id, { connection_id: connection.id })
    await many.connections.list(id)
    await many.connections.get(id, connection.id)
    await many.connections.update(id, connection.id, { is_enabled: false })
    await many.connections.delete(id, connection.id)
    await many.members.create(id, { members: [user.user_id] })
    await many.members.list(id)
    await many.members.roles.assign(id, user.user_id, { roles: [role.id] })
    await many.members.roles.list(id, user.user_id)
    await many.members.roles.delete(id, user.user_id, { roles: [role.id] })
    await many.members.delete(id, { members: [user.user_id] })
    await many.clients.list(id)
    const invitation = await many.invitations.create(id, {
      inviter: { name: 'Ada' },
      invitee: { email: 'new@methods.test' },
      client_id: client.client_id,
      send_invitation_email: false,
    })
    await many.invitations.list(id)
    await many.invitations.get(id, invitation.id)
    await many.invitations.delete(id, invitation.id)
    const claim = await many.discoveryDomains.create(id, { domain: 'acme.invalid' })
    await many.discoveryDomains.list(id)
    await many.discoveryDomains.get(id, claim.id)
    await many.discoveryDomains.getByName(id, 'acme.invalid')
    await many.discoveryDomains.update(id, claim.id, { status: 'pending' })
    await many.discoveryDomains.delete(id, claim.id)
    await many.delete(id)
    await api.customDomains.list()
    const domainMade = await api.customDomains.create({ domain: 'login.methods.invalid', type: 'self_managed_certs' })
    await api.customDomains.get(domainMade.custom_domain_id)
    await api.customDomains.update(domainMade.custom_domain_id, { custom_client_ip_header: 'x-forwarded-for' })
    await api.customDomains.verify(domainMade.custom_domain_id)
    await api.customDomains.test(domainMade.custom_domain_id)
    const { domain: standard } = await api.customDomains.getDefault()
    await api.customDomains.setDefault({ domain: standard })
    await api.customDomains.delete(domainMade.custom_domain_id)
  },

  async hooks() {
    const script = 'module.exports = function (user, context, cb) { cb() }'
    const hook = await api.hooks.create({ name: 'methods', script, triggerId: 'post-change-password' })
    await api.hooks.list()
    await api.hooks.get(hook.id)
    await api.hooks.update(hook.id, { enabled: true })
    await api.hooks.secrets.create(hook.id, { METHODS: 'a value' })
    await api.hooks.secrets.update(hook.id, { METHODS: 'another value' })
    await api.hooks.secrets.get(hook.id)
    await api.hooks.secrets.delete(hook.id, ['METHODS'])
    await api.hooks.delete(hook.id)
  },

  async rules() {
    const script = 'function (user, context, callback) { callback(null, user, context) }'
    const rule = await api.rules.create({ name: 'methods', script, enabled: false })
    await api.rules.list()
    await api.rules.get(rule.id)
    await api.rules.update(rule.id, { order: 3 })
    await api.rules.delete(rule.id)
    await api.rulesConfigs.set('METHODS', { value: 'a value' })
    await api.rulesConfigs.list()
    await api.rulesConfigs.delete('METHODS')
  },

  async tokenExchange() {
    const trigger = { id: 'custom-token-exchange', version: 'v1' }
    const code =
      "exports.onExecuteCustomTokenExchange = async (event, api) => { api.access.deny('access_denied', 'closed') }"
    const judge = await api.actions.create({ name: 'judge', supported_triggers: [trigger], code })
    await api.actions.deploy(judge.id)
    const profile = await api.tokenExchangeProfiles.create({
      name: 'methods',
      subject_token_type: 'urn:methods:legacy-token',
      action_id: judge.id,
      type: 'custom_authentication',
    })
    await api.tokenExchangeProfiles.list()
    await api.tokenExchangeProfiles.get(profile.id)
    await api.tokenExchangeProfiles.update(profile.id, { name: 'renamed' })
    await api.tokenExchangeProfiles.delete(profile.id)
    await api.actions.delete(judge.id)
  },

  async actions() {
    const trigger = { id: 'post-login', version: 'v3' }
    const code = 'exports.onExecutePostLogin = async (event) => { console.log(event.user.email) }'
    const action = await api.actions.create({ name: 'methods', supported_triggers: [trigger], code })
    await api.actions.list()
    await api.actions.get(action.id)
    await api.actions.update(action.id, { code: `${code} // changed` })
    await api.actions.test(action.id, { payload: { user: { user_id: user.user_id } } })
    await api.actions.deploy(action.id)
    const [version] = await api.actions.versions.list(action.id)
    await api.actions.versions.get(action.id, version.id)
    await api.actions.versions.deploy(action.id, version.id)
    await api.actions.triggers.list()
    await api.actions.triggers.bindings.updateMany('post-login', {
      bindings: [{ ref: { type: 'action_id', value: action.id }, display_name: 'methods' }],
    })
    await api.actions.triggers.bindings.list('post-login')
    await api.actions.executions.get(await executionOf('methods'))
    await api.logs.get((await api.logs.list({ search: 'type:s' }))[0].log_id)
    await api.actions.triggers.bindings.updateMany('post-login', { bindings: [] })
    await api.actions.delete(action.id)
  },

  async 'action modules'() {
    const { modules } = api.actions
    const code = 'exports.greet = (name) => `Hello ${name}`'
    const { id } = await modules.create({ name: 'greetings', code })
    await modules.list()
    await modules.get(id)
    await modules.update(id, { code: `${code} // changed` })
    const version = await modules.versions.create(id)
    await modules.versions.list(id)
    await modules.versions.get(id, version.id)
    await modules.rollback(id, { module_version_id: version.id })
    const action = await api.actions.create({
      name: 'greets',
      supported_triggers: [{ id: 'post-login', version: 'v3' }],
      code: "const { greet } = require('actions:greetings'); exports.onExecutePostLogin = async () => greet('Ada')",
      modules: [{ module_id: id, module_version_id: version.id }],
    })
    await api.actions.deploy(action.id)
    await modules.listActions(id)
    await api.actions.delete(action.id)
    await modules.delete(id)
  },

  async 'attack protection'() {
    for (const name of [
      'botDetection',
      'breachedPasswordDetection',
      'bruteForceProtection',
      'captcha',
      'suspiciousIpThrottling',
    ]) {
      const part = api.attackProtection[name]
      await part.get()
      await part.update(
        name === 'captcha'
          ? { active_provider_id: 'auth_challenge' }
          : name === 'botDetection'
            ? { bot_detection_level: 'low' }
            : { enabled: true },
      )
    }
  },

  async 'look and words'() {
    await api.branding.get()
    await api.branding.update({ colors: { primary: '#112233' } })
    const { themeId } = await api.branding.themes.create(THEME)
    const { themeId: _id, ...theme } = await api.branding.themes.getDefault()
    await api.branding.themes.get(themeId)
    await api.branding.themes.update(themeId, theme)
    await api.branding.themes.delete(themeId)
    const page = '<!DOCTYPE html><html><head>{%- auth0:head -%}</head><body>{%- auth0:widget -%}</body></html>'
    await api.branding.templates.updateUniversalLogin({ template: page })
    await api.branding.templates.getUniversalLogin()
    await api.branding.templates.deleteUniversalLogin()
    await api.prompts.getSettings()
    await api.prompts.updateSettings({ identifier_first: false })
    await api.prompts.customText.set('login', 'en', { login: { title: 'Hello' } })
    await api.prompts.customText.get('login', 'en')
    await api.prompts.customText.set('login', 'en', {})
    await api.prompts.partials.get('login')
    await api.prompts.partials.set('login', {})
    const mail = {
      body: '<p>{{ user.name }}</p>',
      from: 'a@methods.test',
      subject: 'Hello',
      syntax: 'liquid',
      enabled: false,
    }
    await api.emailTemplates.create({ template: 'welcome_email', ...mail })
    await api.emailTemplates.get('welcome_email')
    await api.emailTemplates.set('welcome_email', { template: 'welcome_email', ...mail })
    await api.emailTemplates.update('welcome_email', { enabled: false })
  },

  async providers() {
    const mail = {
      name: 'sendgrid',
      default_from_address: 'Shop <a@methods.test>',
      credentials: { api_key: 'the-key-of-the-account' },
    }
    await api.emails.provider.create(mail)
    await api.emails.provider.get()
    await api.emails.provider.update({ default_from_address: 'Shop <b@methods.test>' })
    await api.emails.provider.delete()
    const { providers, templates } = api.branding.phone
    for (const { id } of (await providers.list()).providers) await providers.delete(id)
    const provider = await providers.create({
      name: 'twilio',
      configuration: { sid: `AC${'0'.repeat(32)}`, default_from: '+15005550006', delivery_methods: ['text'] },
      credentials: { auth_token: 'the-token-of-the-account' },
    })
    await providers.get(provider.id)
    await providers.update(provider.id, { disabled: false })
    await providers.test(provider.id, { to: '+4915112349167', delivery_method: 'text' })
    const content = { syntax: 'liquid', body: { text: '{{ code }} is your code', voice: 'Your code is {{ code }}' } }
    const template = await templates.create({ type: 'otp_verify', disabled: false, content })
    await templates.list()
    await templates.get(template.id)
    await templates.update(template.id, { content })
    await templates.test(template.id, { to: '+4915112349167', delivery_method: 'text' })
    await templates.reset(template.id, {})
    await templates.delete(template.id)
    await providers.delete(provider.id)
  },

  async operations() {
    const stream = await api.logStreams.create({
      name: 'Methods',
      type: 'http',
      sink: { httpEndpoint: 'https://logs.methods.invalid/' },
    })
    await api.logStreams.list()
    await api.logStreams.get(stream.id)
    await api.logStreams.update(stream.id, { status: 'paused' })
    await api.logStreams.delete(stream.id)
    await api.stats.getActiveUsersCount()
    await api.stats.getDaily({ from: '20261101', to: '20261130' })
    await api.tenants.settings.get()
    await api.tenants.settings.update({ friendly_name: 'Methods' })
    await api.tickets.verifyEmail({ user_id: user.user_id })
    await api.tickets.changePassword({ user_id: user.user_id })
    const unverified = await newUser('unverified', { email_verified: false })
    const job = await api.jobs.usersExports.create({ format: 'json' })
    await api.jobs.get(job.id)
    await api.jobs.errors.get(job.id)
    await api.jobs.usersImports.create({
      connection_id: connection.id,
      users: new File([JSON.stringify([{ email: 'imported@methods.test' }])], 'users.json', {
        type: 'application/json',
      }),
    })
    await api.jobs.verificationEmail.create({ user_id: unverified.user_id })
  },
}

/** The last one: the key of the SDK's own token is revoked. */
async function keys() {
  await api.keys.signing.list()
  await api.keys.signing.rotate()
  const previous = (await api.keys.signing.list()).find((key) => key.previous)
  await api.keys.signing.get(previous.kid)
  await api.keys.signing.revoke(previous.kid)
}

const broken = []
const trying = (name, work) => work().catch((error) => broken.push(`${name}: ${error.stack}`))
for (const [name, work] of Object.entries(GROUPS)) await trying(name, work)

// What no group calls: features of the vendor's that do not exist here.
const sends = await requestsOfMethods()
for (const { name, call } of methodsIn(api)) {
  if (ended[name] !== undefined || !sends[name] || name.startsWith('keys.signing')) continue
  const identifiers = sends[name].match(/\bp\d\b/g) ?? []
  await trying(name, () => call(...identifiers, {}))
}
await trying('keys', keys)
console.log(JSON.stringify({ sends, ended, broken }))
