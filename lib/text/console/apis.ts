/** The texts of apis. */
export const apis = {
  'apis.title': 'APIs',
  'apis.lead': 'What tokens of this server are for, with the permissions of each.',
  'apis.empty': 'No API is registered yet.',
  'apis.new': 'New API',
  'apis.tab.settings': 'Settings',
  'apis.tab.permissions': 'Permissions',
  'apis.tab.access': 'Applications',
  'apis.tab.test': 'Test',
  'apis.permissions': 'Permissions',
  'apis.permissions.lead':
    'An application requests them by name. A token holds one only where the application, and for users also their roles, may have it.',
  'apis.grants': 'Applications with access',
  'apis.grants.lead':
    'What each application may do here for itself, by client credentials. For its users it needs an entry only if the settings require one.',
  'apis.grants.more.one': 'And one more: each is on the page of its application.',
  'apis.grants.more.other': 'And {count} more: each is on the page of its application.',
  'apis.test': 'Test token',
  'apis.test.lead':
    'What an application gets for itself, with the actions that change it, for ten minutes at most. It cannot be revoked.',
  'apis.test.none': 'No application has access for itself yet, so there is no token to try.',
  'apis.test.access': 'Give an application access',
  'apis.test.issue': 'Issue a test token',
  'apis.test.request': 'The requests',
  'apis.test.request.lead':
    'The first gets a token with the client secret of the application. The second sends it to the API.',
  'apis.test.get': 'Get a token',
  'apis.test.use': 'Call the API',
  'apis.built_in': 'Built in',
  'apis.built_in.lead':
    'Beside the Management API, each tenant has two APIs without settings. A user gets tokens for them at an own application alone.',
  'apis.built_in.mfa': 'The MFA API: a person lists, adds and removes second factors, after a recent login.',
  'apis.built_in.account': 'The My Account API: a person manages passkeys, other ways to sign in and linked accounts.',
  'apis.system': 'The Management API',
  'apis.system.lead': 'It is a part of this server and cannot be changed.',
  'apis.system.machines':
    'An application gets the permissions that are granted on the page Applications. Such an application is as strong as an administrator: give it no more than it needs.',
  'apis.system.people':
    'A person gets the permissions about the own profile (those with current_user), and those of the roles that the person has.',
  'apis.system.reference': 'Reference of the Management API',
  'apis.tokens': 'Tokens',
  'apis.access': 'Access',
  'apis.access.lead': 'Who gets tokens, what decides what they allow, and when a user is asked.',
  'apis.delete.lead': 'Tokens for it are refused from then on, and its grants go with it.',
} as const
