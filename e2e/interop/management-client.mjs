// The vendor's npm package `auth0`, unmodified, in its two generations, drives the Management API. A separate process because
// Node.js reads trusted authorities at its start only. Reads its task as JSON from its argument; writes what it saw as JSON.
import { ManagementClient as Classic } from 'auth0'
import { ManagementClient as Current } from 'auth0-management'

const { domain, clientId, clientSecret, generation } = JSON.parse(process.argv[2])
const audience = `https://${domain}/api/v2/`

/** The status and code of a refusal. */
async function refusal(call) {
  try {
    await call()
    return null
  } catch ({ statusCode, errorCode, body }) {
    return { statusCode, errorCode: errorCode ?? body?.errorCode }
  }
}

/** Every entry that an SDK's page yields, over all pages. */
async function all(page) {
  const entries = []
  for await (const entry of await page) entries.push(entry)
  return entries
}

async function classic() {
  const api = new Classic({ domain, clientId, clientSecret })
  const data = async (call) => (await call).data
  const role = await data(api.roles.create({ name: 'Classic', description: 'made by 4.x' }))
  const server = await data(
    api.resourceServers.create({
      identifier: 'https://classic.api.test/a b',
      name: 'Classic',
      scopes: [{ value: 'read:it' }],
    }),
  )
  await api.roles.addPermissions(
    { id: role.id },
    { permissions: [{ resource_server_identifier: server.identifier, permission_name: 'read:it' }] },
  )
  const permissions = await data(api.roles.getPermissions({ id: role.id }))
  const client = await data(
    api.clients.create({ name: 'Classic', app_type: 'regular_web', callbacks: ['https://classic.test/cb'] }),
  )
  const changed = await data(
    api.clients.update({ client_id: client.client_id }, { client_metadata: { a: '1' }, description: 'changed' }),
  )
  const rotated = await data(api.clients.rotateClientSecret({ client_id: client.client_id }))
  const grant = await data(
    api.clientGrants.create({ client_id: client.client_id, audience: server.identifier, scope: ['read:it'] }),
  )
  const connection = await data(
    api.connections.create({ name: 'classic', strategy: 'auth0', enabled_clients: [client.client_id] }),
  )
  const byId = await data(api.resourceServers.get({ id: server.id }))
  const counted = await data(api.clients.getAll({ include_totals: true, per_page: 2, page: 0 }))
  const missing = await refusal(() => api.roles.get({ id: 'rol_none' }))
  const taken = await refusal(() => api.roles.create({ name: 'Classic' }))
  await api.connections.delete({ id: connection.id })
  await api.clientGrants.delete({ id: grant.id })
  await api.clients.delete({ client_id: client.client_id })
  await api.resourceServers.delete({ id: server.id })
  await api.roles.delete({ id: role.id })
  return { role, permissions, client, changed, rotated, grant, connection, byId, counted, missing, taken }
}

async function current() {
  const api = new Current({ domain, clientId, clientSecret })
  const role = await api.roles.create({ name: 'Current', description: 'made by 7.x' })
  const server = await api.resourceServers.create({
    identifier: 'https://current.api.test/a b',
    name: 'Current',
    scopes: [{ value: 'read:it' }],
  })
  await api.roles.permissions.add(role.id, {
    permissions: [{ resource_server_identifier: server.identifier, permission_name: 'read:it' }],
  })
  const permissions = await all(api.roles.permissions.list(role.id))
  const client = await api.clients.create({
    name: 'Current',
    app_type: 'regular_web',
    callbacks: ['https://current.test/cb'],
  })
  const changed = await api.clients.update(client.client_id, { client_metadata: { a: '1' }, description: 'changed' })
  const rotated = await api.clients.rotateSecret(client.client_id)
  const grant = await api.clientGrants.create({
    client_id: client.client_id,
    audience: server.identifier,
    scope: ['read:it'],
  })
  const connection = await api.connections.create({ name: 'current', strategy: 'auth0' })
  await api.connections.clients.update(connection.id, [{ client_id: client.client_id, status: true }])
  const enabled = await all(api.connections.clients.get(connection.id))
  const byId = await api.resourceServers.get(server.identifier)
  const counted = { total: (await all(api.clients.list({ per_page: 2 }))).length }
  const missing = await refusal(() => api.roles.get('rol_none'))
  const taken = await refusal(() => api.roles.create({ name: 'Current' }))
  await api.connections.delete(connection.id)
  await api.clientGrants.delete(grant.id)
  await api.clients.delete(client.client_id)
  await api.resourceServers.delete(server.id)
  await api.roles.delete(role.id)
  return { role, permissions, client, changed, rotated, grant, connection, enabled, byId, counted, missing, taken }
}

/** Every method for organizations and custom domains that has a counterpart here, once at least. */
async function organizations() {
  const api = new Current({ domain, clientId, clientSecret })
  const { organizations: many } = api
  const connection = await api.connections.create({ name: 'customers', strategy: 'auth0' })
  const user = await api.users.create({
    connection: 'customers',
    email: 'o@api.test',
    password: 'Lantern over the 7 harbours',
  })
  const role = await api.roles.create({ name: 'Customer' })
  const made = await many.create({ name: 'acme', display_name: 'Acme' })
  const { id } = made
  const seen = { made, changed: await many.update(id, { display_name: 'Acme Boats' }) }
  seen.read = [await many.get(id), await many.getByName('acme')].map(({ display_name }) => display_name)
  seen.listed = (await all(many.list())).length

  await many.enabledConnections.add(id, { connection_id: connection.id })
  await many.enabledConnections.update(id, connection.id, { assign_membership_on_login: true })
  seen.enabled = [
    await many.enabledConnections.get(id, connection.id),
    ...(await all(many.enabledConnections.list(id))),
  ]
  await many.enabledConnections.delete(id, connection.id)
  await many.connections.create(id, { connection_id: connection.id })
  await many.connections.update(id, connection.id, { is_enabled: false })
  seen.connections = [await many.connections.get(id, connection.id), ...(await all(many.connections.list(id)))]
  await many.connections.delete(id, connection.id)

  await many.members.create(id, { members: [user.user_id] })
  await many.members.roles.assign(id, user.user_id, { roles: [role.id] })
  seen.roles = await all(many.members.roles.list(id, user.user_id))
  await many.members.roles.delete(id, user.user_id, { roles: [role.id] })
  seen.members = await all(many.members.list(id))
  await many.members.delete(id, { members: [user.user_id] })

  const client = await api.clients.create({
    name: 'Customers',
    app_type: 'regular_web',
    organization_usage: 'allow',
    initiate_login_uri: 'https://customers.test/login',
  })
  const server = await api.resourceServers.create({ identifier: 'https://customers.test/', name: 'Customers' })
  const grant = await api.clientGrants.create({
    client_id: client.client_id,
    audience: server.identifier,
    scope: [],
    organization_usage: 'allow',
  })
  await many.clientGrants.create(id, { grant_id: grant.id })
  seen.grants = await all(many.clientGrants.list(id))
  await many.clientGrants.delete(id, grant.id)
  const invitation = await many.invitations.create(id, {
    inviter: { name: 'Ada' },
    invitee: { email: 'new@api.test' },
    client_id: client.client_id,
    send_invitation_email: false,
  })
  seen.invitations = [await many.invitations.get(id, invitation.id), ...(await all(many.invitations.list(id)))]
  await many.invitations.delete(id, invitation.id)

  const claim = await many.discoveryDomains.create(id, { domain: 'acme.invalid' })
  seen.domains = [
    await many.discoveryDomains.get(id, claim.id),
    await many.discoveryDomains.getByName(id, 'acme.invalid'),
    ...(await all(many.discoveryDomains.list(id))),
  ]
  seen.unproven = await refusal(() => many.discoveryDomains.update(id, claim.id, { status: 'verified' }))
  await many.discoveryDomains.delete(id, claim.id)
  seen.clients = await all(many.clients.list(id))
  seen.custom = await customDomains(api)

  await many.delete(id)
  seen.gone = await refusal(() => many.get(id))
  await api.connections.delete(connection.id)
  await api.clients.delete(client.client_id)
  await api.resourceServers.delete(server.id)
  await api.roles.delete(role.id)
  return seen
}

async function customDomains({ customDomains: many }) {
  const { custom_domain_id: id } = await many.create({ domain: 'login.acme.invalid', type: 'self_managed_certs' })
  const read = await many.get(id)
  const changed = await many.update(id, { custom_client_ip_header: 'x-forwarded-for' })
  const listed = await many.list()
  const verified = await many.verify(id)
  const tested = await many.test(id)
  const standard = await many.getDefault()
  const unproven = await refusal(() => many.setDefault({ domain: 'login.acme.invalid' }))
  await many.delete(id)
  return { read, changed, listed, verified, tested, standard, unproven, gone: await refusal(() => many.get(id)) }
}

const GENERATIONS = { classic, current, organizations }

console.log(JSON.stringify({ audience, ...(await GENERATIONS[generation]()) }))
