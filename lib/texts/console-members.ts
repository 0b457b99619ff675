/**
 * Labels and explanations of the members of the Management API's objects, as forms and tables of the console show them. A key is the
 * member's path, with the resource before it where one name means two things.
 */
type Described = readonly [label: string, help?: string]

const MEMBERS: Readonly<Record<string, Described>> = {
  name: ['Name'],
  description: ['Description'],
  email: ['E-mail address'],
  username: ['Username'],
  phone_number: ['Phone number'],
  password: ['Password'],
  picture: ['Picture', 'The address of an image.'],
  nickname: ['Nickname'],
  given_name: ['Given name'],
  family_name: ['Family name'],
  email_verified: ['The address is verified'],
  blocked: ['Blocked', 'A blocked user cannot sign in, and present sessions end.'],
  connection: ['Connection'],
  user_metadata: ['User metadata', 'JSON that the user may see and change.'],
  app_metadata: ['App metadata', 'JSON of operators; users cannot change it.'],
  roles: ['Roles'],
  role: ['Role'],
  display_name: ['Name on the login page'],

  'resource_servers.identifier': [
    'Audience',
    'A URL that names the API; it is not called. It cannot be changed later.',
  ],
  'resource_servers.scopes': ['Permissions', 'JSON: [{"value": "read:stock", "description": "See the stock"}]'],
  'resource_servers.token_lifetime': ['Lifetime of access tokens'],
  'resource_servers.token_lifetime_for_web': ['Lifetime in browsers'],
  'resource_servers.allow_offline_access': [
    'Refresh tokens',
    'Whether applications may get new tokens while the user is away.',
  ],
  'resource_servers.token_dialect': ['Format of access tokens'],
  'resource_servers.enforce_policies': ['Roles decide', 'Tokens of users hold only what their roles allow.'],
  'resource_servers.skip_consent_for_verifiable_first_party_clients': ['No consent for our own applications'],
  'roles.permissions': [
    'Permissions to add',
    'JSON: [{"resource_server_identifier": "https://shop.example/stock", "permission_name": "read:stock"}]',
  ],
  'roles.administers_organization': [
    'Manages its organization',
    'Members with this role manage their organization in the account portal.',
  ],
  'roles.assignable_by_organization': [
    'Given by organizations',
    'Administrators of an organization may give it to members.',
  ],
  'organizations.name': ['Short name', 'Lower-case letters, digits, hyphens and underscores.'],
  'organizations.display_name': ['Name', 'Users see it.'],
  'organizations.members': ['User IDs'],
  'connections.strategy': ['Kind'],
  'connections.enabled_clients': ['Client IDs'],
  'connections.is_domain_connection': ['Open to applications of others'],
  'connections.realms': ['Realms', 'Further names of the connection in requests.'],
  'clients.name': ['Name', 'Users see it on the login page.'],
  'clients.description': ['Description', 'For administrators.'],
  'clients.app_type': ['Kind', 'Decides the safe defaults: how it authenticates and which grants it may use.'],
  'clients.logo_uri': ['Logo', 'The https address of an image, shown on the login page.'],
  'clients.callbacks': [
    'Allowed callback URLs',
    'Where users return after the login. Whole addresses; in place of one sub-domain, * is allowed.',
  ],
  'clients.allowed_logout_urls': ['Allowed logout URLs', 'Where users may return after the logout.'],
  'clients.web_origins': [
    'Allowed web origins',
    'Origins whose pages renew tokens in the background, such as https://shop.example.',
  ],
  'clients.allowed_origins': ['Allowed origins (CORS)', 'Origins whose pages call this server directly.'],
  'clients.initiate_login_uri': [
    'Login page of the application',
    'Where a login starts that did not start in the application.',
  ],
  'clients.mfa_policy': ['Second factor', 'Not set: the policy of the tenant decides.'],
  'clients.grant_types': ['Grants', 'The ways in which it may get tokens.'],
  'clients.token_endpoint_auth_method': ['How it authenticates', 'A browser or mobile app has no secret: none.'],
  'clients.is_first_party': ['Ours', 'An application of somebody else asks users for consent.'],
  'clients.require_pushed_authorization_requests': ['Pushed requests only', 'Logins must start at /oauth/par.'],
  'clients.require_proof_of_possession': [
    'Bound tokens (DPoP)',
    'Access tokens must be bound to a key of the application.',
  ],
  'clients.jwt_configuration.lifetime_in_seconds': ['Lifetime of ID tokens', 'In seconds.'],
  'clients.refresh_token.rotation_type': [
    'Rotation',
    'A rotating token is replaced at each use, so a stolen one is noticed.',
  ],
  'clients.refresh_token.expiration_type': ['Expiry'],
  'clients.refresh_token.leeway': ['Overlap', 'Seconds in which the token before is still accepted.'],
  'clients.refresh_token.token_lifetime': ['Longest lifetime', 'In seconds, however often it is used.'],
  'clients.refresh_token.idle_token_lifetime': ['Lifetime without use', 'In seconds.'],
  'clients.oidc_logout.backchannel_logout_urls': [
    'Back-channel logout URL',
    'This server reports ended sessions there.',
  ],
  'clients.organization_usage': ['Organizations', 'Whether users sign in to it as members of an organization.'],

  'tenant_settings.friendly_name': ['Name', 'Login pages and mails show it.'],
  'tenant_settings.picture_url': ['Logo', 'The address of an image, used where the branding has no logo.'],
  'tenant_settings.support_email': ['Support address', 'Mails name it.'],
  'tenant_settings.support_url': ['Support page', 'Login pages and mails link it.'],
  'tenant_settings.enabled_locales': [
    'Languages',
    'Codes: en, de, fr, es, pt, ja, ar. The first is the default; without any, all are offered.',
  ],
  'tenant_settings.session_lifetime': ['Longest session', 'Hours after the login, however often it is used.'],
  'tenant_settings.idle_session_lifetime': ['Session without use', 'Hours after which an unused session ends.'],
  'tenant_settings.session_cookie.mode': ['When the browser is closed'],
  'tenant_settings.ephemeral_session_lifetime': [
    'Longest session of a browser',
    'For sessions that end with the browser. Without it the time above holds.',
  ],
  'tenant_settings.idle_ephemeral_session_lifetime': [
    'Session of a browser without use',
    'For sessions that end with the browser. Without it the time above holds.',
  ],
  'tenant_settings.remember_accounts': [
    'Browsers remember accounts',
    'The login page offers the accounts that signed in before. Never where sessions end with the browser.',
  ],
  'tenant_settings.default_directory': [
    'Database of users',
    'Used by the password grant, and by the login page if a request names no connection.',
  ],
  'tenant_settings.default_audience': ['API', 'The audience of tokens, if a request names none.'],
  'tenant_settings.default_redirection_uri': [
    'Way back',
    'Where users go from a page that does not know their application, such as an expired link.',
  ],
  'tenant_settings.allowed_logout_urls': [
    'Allowed logout URLs',
    'Where users may return after a logout that names no application. The first is used if the request names none.',
  ],
  'tenant_settings.allow_organization_name_in_authentication_api': [
    'Names of organizations',
    'Requests may name an organization instead of its ID, and tokens contain the name.',
  ],
  'tenant_settings.flags.enable_public_signup_user_exists_error': [
    'Sign-up says that an account exists',
    'Otherwise the answer does not tell strangers who has an account here.',
  ],
  'tenant_settings.suggest_account_linking': [
    'Linking accounts',
    'When a user who has another account with the same verified address is asked to link the two.',
  ],
  'tenant_settings.default_picture': [
    'Picture of users who have none',
    'Gravatar gets a digest of the verified address.',
  ],
  'tenant_settings.account_deletion_days': [
    'Deleting accounts',
    'A user who deletes the account can change their mind for this long.',
  ],
  'tenant_settings.organization_connections': [
    'Organizations connect their identity provider',
    'Administrators of an organization set it up in the account portal.',
  ],
  'tenant_settings.flags.enable_dynamic_client_registration': [
    'Applications register themselves',
    'Anybody may register an application at /oidc/register. Its users are asked for consent.',
  ],
  'tenant_settings.resource_parameter_profile': ['How requests name an API'],
  'tenant_settings.compat.errors': ['Errors'],
  'tenant_settings.compat.updated_at': ['Format of updated_at'],
  'tenant_settings.compat.id_token_claims': ['Claims in ID tokens'],
  'tenant_settings.console_second_factor': [
    'Second factor for this console',
    'Administrators prove one, as soon as the tenant has enabled a factor.',
  ],
  'tenant_settings.rate_limits': [
    'Limits',
    'JSON: {"login": {"burst": 20, "per_minute": 10}}. false lifts a limit, null gives back its default.',
  ],
}

const OPTIONS: Readonly<Record<string, string>> = {
  'role.owner': 'Owner',
  'role.admin': 'Admin',
  'role.application_editor': 'Application editor',
  'role.user_support': 'User support',
  'role.auditor': 'Auditor',
  'app_type.regular_web': 'Regular web application',
  'app_type.spa': 'Single-page application',
  'app_type.native': 'Native application',
  'app_type.non_interactive': 'Machine to machine',
  'mfa_policy.never': 'Never',
  'mfa_policy.always': 'Always',
  'mfa_policy.risky': 'When a login is risky',
  'mfa_policy.enrolled': 'For users who have one',
  'organization_usage.deny': 'No',
  'organization_usage.allow': 'Allowed',
  'organization_usage.require': 'Required',
  'refresh_token.rotation_type.rotating': 'Rotating',
  'refresh_token.rotation_type.non-rotating': 'Not rotating',
  'refresh_token.expiration_type.expiring': 'Expiring',
  'refresh_token.expiration_type.non-expiring': 'Never expiring',
  'session_cookie.mode.persistent': 'The session stays',
  'session_cookie.mode.non-persistent': 'The session ends',
  'suggest_account_linking.on_each_login': 'At each login',
  'suggest_account_linking.on_first_login': 'At the first login',
  'suggest_account_linking.never_on_login': 'Never',
  'default_picture.initials': 'Initials',
  'default_picture.gravatar': 'Gravatar',
  'resource_parameter_profile.audience': 'By audience',
  'resource_parameter_profile.compatibility': 'By audience, or by resource (RFC 8707)',
  'compat.errors.vendor': 'As at Auth0',
  'compat.errors.rfc': 'As in the standards',
  'compat.updated_at.contract': 'As at Auth0',
  'compat.updated_at.iso8601': 'A text with date and time (ISO 8601)',
  'compat.updated_at.epoch': 'A number of seconds (OpenID Connect)',
  'compat.id_token_claims.contract': 'As at Auth0: always',
  'compat.id_token_claims.core': 'As in OpenID Connect: only without an access token',
}

/** The label and explanation of a member: of this resource, of any, or made of its name. */
export function describeMember(resource: string, path: string): { label: string; help: string | undefined } {
  const [label, help] = MEMBERS[`${resource}.${path}`] ?? MEMBERS[path] ?? [spoken(path)]
  return { label, help }
}

export const describeOption = (path: string, option: string): string => OPTIONS[`${path}.${option}`] ?? option

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  id: 'ID',
  url: 'URL',
  uri: 'URI',
  urls: 'URLs',
  api: 'API',
  mfa: 'MFA',
  ip: 'IP',
  jwt: 'JWT',
  saml: 'SAML',
  oidc: 'OIDC',
}

function spoken(path: string): string {
  const words = (path.split('.').at(-1) ?? path).split(/[_-]/).map((word) => ABBREVIATIONS[word.toLowerCase()] ?? word)
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
