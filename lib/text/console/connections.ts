/** The texts of connections. */
export const connections = {
  'connections.title': 'Connections',
  'connections.lead': 'Where users sign in: passwords, codes by mail and message, and identity providers.',
  'connections.empty': 'There is no connection yet, so no user can sign in.',
  'connections.new': 'New connection',
  'connections.clients': 'Applications',
  'connections.clients.lead': 'Those that offer this connection; where there are more than 100, their client IDs.',
  'connections.options': 'Options',
  'connections.options.lead':
    'What this kind of connection needs, as JSON. A secret that is shown as ******** stays as it is.',
  'connections.setup': 'For the identity provider',
  'connections.setup.lead':
    'Register this at the other side. Users who log in under a custom domain return to the same paths there: register its addresses too.',
  'connections.setup.redirect_uri': 'Redirect URI (callback)',
  'connections.setup.logout_uri': 'Logout return address',
  'connections.setup.entity_id': 'Entity ID (audience)',
  'connections.setup.acs_url': 'Assertion consumer service (ACS, HTTP-POST)',
  'connections.setup.metadata_url': 'Metadata of this service provider',
  'connections.setup.certificate_url': 'Signing certificate (PEM)',
  'connections.setup.realm': 'Realm (relying party identifier)',
  'connections.setup.reply_url': 'WS-Federation endpoint (reply URL)',
  'connections.setup.initiate_login_uri': 'Login initiation (sign-on URL)',
  'connections.delete.lead': 'Its users cannot sign in any more, and those without another account are deleted.',
} as const
