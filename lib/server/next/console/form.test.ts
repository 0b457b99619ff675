import { describe, expect, it } from 'vitest'
import { APP_TYPES } from '../../../data/clients/client'
import { groupsIn } from '../../../kernel/schema-meta'
import { OPERATIONS } from '../../../management'
import { operationNamed } from '../../../management/console-call'
import { say } from '../../../text/console'
import { leavesOf, shownValues } from './field'
import { bodyOf, fieldsOf, formGroups, valueLabel } from './form'
import { bodyBefore, readForm, sentValues, textsFrom, textsOf, UnreadableField } from './form-values'

const kinds = (operation: string, names: string[]) =>
  fieldsOf(operationNamed(operation), names).map(({ name, kind }) => [name, kind])

describe('a form', () => {
  it('derives its controls from the schema of the operation', () => {
    expect(
      kinds('clients.update', [
        ...[
          'name',
          'callbacks',
          'is_first_party',
          'app_type',
          'jwt_configuration.lifetime_in_seconds',
          'client_metadata',
        ],
        ...['client_secret', 'no_such_member'],
      ]),
    ).toEqual([
      ['name', 'text'],
      ['callbacks', 'lines'],
      ['is_first_party', 'switch'],
      ['app_type', 'choice'],
      ['jwt_configuration.lifetime_in_seconds', 'duration'],
      ['client_metadata', 'pairs'],
      ['client_secret', 'secret'],
      ['no_such_member', 'text'],
    ])
  })

  it('says what the schema says of a member, and of its values', () => {
    const [leeway] = fieldsOf(operationNamed('clients.update'), ['refresh_token.leeway'])
    expect(leeway).toMatchObject({
      label: 'Overlap of refresh tokens',
      help: 'How long the token before is still accepted.',
      ...{ kind: 'duration', unit: 'seconds' },
    })
    expect(valueLabel(operationNamed('clients.update'), 'mfa_policy', 'risky')).toBe('When a login is risky')
    expect(valueLabel(operationNamed('clients.update'), 'token_endpoint_auth_method', 'none')).toBe('Not at all (none)')
  })

  it('says what holds where a member is not set: a default, or what the code does', () => {
    const names = ['refresh_token.idle_token_lifetime', 'jwt_configuration.alg', 'mfa_policy', 'par_request_expiry']
    expect(fieldsOf(operationNamed('clients.update'), names, {}).map(({ unset }) => unset)).toEqual([
      'Default: 15 days',
      'Default: RS256',
      'Not set: the policy of the tenant decides',
      'Default: 30 seconds',
    ])
    const [key] = fieldsOf(operationNamed('guardian.webauthn_roaming.update'), ['userVerification'], {})
    expect(key?.unset).toBe('Default: Not needed')
  })

  it('says of a member of a body what the schema says of the member that is shown', () => {
    expect(fieldsOf(operationNamed('clients.update'), ['initiate_login_uri'])[0]?.label).toBe(
      'Login page of the application',
    )
    expect(fieldsOf(operationNamed('captcha.update'), ['active_provider_id'])[0]?.label).toBe('Captcha')
  })

  it('leaves out of several choices what has no effect', () => {
    const [field] = fieldsOf(operationNamed('suspicious_ip_throttling.update'), ['shields'], {
      shields: ['admin_notification', 'block'],
    })
    expect(field).toMatchObject({ options: [{ value: 'block', label: 'Refuse' }], value: ['block'] })
  })

  it('has its members in the groups and the order of the schema', () => {
    expect(formGroups(operationNamed('resource_servers.update'), 'apis')).toEqual([
      { group: 'basics', title: 'Basics', lead: undefined, members: ['name'] },
      {
        ...{ group: 'permissions', title: 'Permissions', lead: say('apis.permissions.lead') },
        members: ['scopes'],
      },
      {
        ...{ group: 'tokens', title: 'Tokens', lead: undefined },
        members: ['token_lifetime', 'token_lifetime_for_web', 'allow_offline_access', 'token_dialect', 'signing_alg'],
      },
      {
        ...{ group: 'access', title: 'Access', lead: say('apis.access.lead') },
        members: [
          'enforce_policies',
          'skip_consent_for_verifiable_first_party_clients',
          'consent_policy',
          'subject_type_authorization',
          'proof_of_possession',
        ],
      },
    ])
  })

  it.each([
    ['clients', 'applications'],
    ['tenant_settings', 'settings'],
    ['users', 'users'],
    ['roles', 'roles'],
    ['organizations', 'organizations'],
    ['connections', 'connections'],
    ['custom_domains', 'domains'],
    ['bot_detection', 'security'],
    ['guardian.message_types', 'security'],
  ])('has a label for each member of %s that has a group', (resource, section) => {
    const members = formGroups(operationNamed(`${resource}.update`), section).flatMap((group) => group.members)
    expect(members).not.toEqual([])
    expect(fieldsOf(operationNamed(`${resource}.update`), members).filter(({ name, label }) => name === label)).toEqual(
      [],
    )
  })

  it('offers the types of application that mean something here, and the one that the application has', () => {
    const types = (app_type: string) =>
      fieldsOf(operationNamed('clients.update'), ['app_type'], { app_type })[0]?.options.map(({ value }) => value)
    expect(types('spa')).toEqual([...APP_TYPES])
    expect(types('office365')).toEqual([...APP_TYPES, 'office365'])
  })

  it('derives them for a singleton, whose body is judged with what is stored', () => {
    expect(
      kinds('tenant_settings.update', [
        ...['session_lifetime', 'flags.enable_dynamic_client_registration', 'session_cookie.mode', 'enabled_locales'],
        ...['support_email', 'rate_limits'],
      ]),
    ).toEqual([
      ['session_lifetime', 'duration'],
      ['flags.enable_dynamic_client_registration', 'switch'],
      ['session_cookie.mode', 'choice'],
      ['enabled_locales', 'list'],
      ['support_email', 'text'],
      ['rate_limits', 'pairs'],
    ])
    expect(kinds('captcha.update', ['active_provider_id', 'hcaptcha.site_key', 'hcaptcha.secret'])).toEqual([
      ['active_provider_id', 'choice'],
      ['hcaptcha.site_key', 'text'],
      ['hcaptcha.secret', 'secret'],
    ])
    expect(
      kinds('email_provider.make', ['credentials.smtp_host', 'credentials.smtp_port', 'credentials.smtp_pass']),
    ).toEqual([
      ['credentials.smtp_host', 'text'],
      ['credentials.smtp_port', 'number'],
      ['credentials.smtp_pass', 'secret'],
    ])
    expect(
      kinds('phone_providers.change', [
        'configuration.sid',
        'configuration.delivery_methods',
        'credentials.auth_token',
        'disabled',
      ]),
    ).toEqual([
      ['configuration.sid', 'text'],
      ['configuration.delivery_methods', 'choices'],
      ['credentials.auth_token', 'secret'],
      ['disabled', 'switch'],
    ])
    expect(kinds('guardian.message_types.update', ['message_types'])).toEqual([['message_types', 'choices']])
    expect(kinds('breached_password_detection.update', ['enabled', 'method'])).toEqual([
      ['enabled', 'switch'],
      ['method', 'choice'],
    ])
  })

  it('needs a secret of something new alone: an empty control keeps the stored one', () => {
    const needed = (value?: object) =>
      fieldsOf(operationNamed('phone_providers.change'), ['configuration.sid', 'credentials.auth_token'], value).map(
        ({ required }) => required,
      )
    expect(needed()).toEqual([true, true])
    expect(needed({ configuration: { sid: 'AC1' } })).toEqual([true, false])
  })

  it('a form states what was filled in for something new', () => {
    const sent: [string, string][] = [
      ['text:name', ' Shop '],
      ['text:description', ''],
      ['lines:callbacks', 'https://a.test\r\n\r\nhttps://b.test\r\n'],
      ['switch:is_first_party', 'false'],
      ['switch:is_first_party', 'true'],
      ['number:jwt_configuration.lifetime_in_seconds', '60'],
      ['choices:roles', ''],
      ['json:client_metadata', '{"a":"b"}'],
      ['_operation', 'clients.create'],
      ['text:__proto__.x', 'polluted'],
    ]
    expect(readForm(sent, null)).toEqual({
      name: 'Shop',
      callbacks: ['https://a.test', 'https://b.test'],
      is_first_party: true,
      jwt_configuration: { lifetime_in_seconds: 60 },
      client_metadata: { a: 'b' },
    })
    expect(({} as { x?: string }).x).toBeUndefined()
  })

  it('shows a switch that is on where it is not set as on', () => {
    const names = ['addons.samlp.createUpnClaim', 'addons.samlp.signResponse']
    const shown = (samlp?: object) =>
      fieldsOf(operationNamed('clients.update'), names, samlp && { addons: { samlp } }).map(({ value }) => value)
    expect(shown()).toEqual(['true', 'false'])
    expect(shown({})).toEqual(['true', 'false'])
    expect(shown({ createUpnClaim: false, signResponse: true })).toEqual(['false', 'true'])
  })

  it('sends what was changed and no more, with the whole of an object', () => {
    const refresh = { refresh_token: { leeway: 5, rotation_type: 'rotating' } }
    const value = { name: 'Shop', description: 'Old', is_first_party: false, ...refresh }
    const names = ['name', 'description', 'is_first_party', 'refresh_token.leeway', 'refresh_token.rotation_type']
    const was = JSON.parse(shownValues(fieldsOf(operationNamed('clients.update'), names, value)))
    const same: [string, string][] = [
      ['text:name', 'Shop'],
      ['long:description', 'Old'],
      ['switch:is_first_party', 'false'],
      ['duration:refresh_token.leeway', '5'],
      ['duration:refresh_token.leeway', '1'],
      ['choice:refresh_token.rotation_type', 'rotating'],
    ]
    expect(readForm(same, was)).toEqual({})
    const changed = same.map(([name, text]): [string, string] => {
      if (name === 'long:description') return [name, '']
      return name.endsWith('leeway') && text === '5' ? [name, '9'] : [name, text]
    })
    expect(readForm(changed, was)).toEqual({
      description: null,
      refresh_token: { leeway: 9, rotation_type: 'rotating' },
    })
  })

  it('names the field that is no JSON', () => {
    expect(() => readForm([['json:options', '{']], null)).toThrow(UnreadableField)
  })
})

it.each([
  'custom_domains.verify',
  'signing_keys.rotate',
  'signing_keys.revoke',
  'clients.delete',
  'clients.rotate_secret',
  'resource_servers.test_token',
  'users.delete',
  'administrators.invite',
  'administrators.update',
])('%s needs a recent login', (name) => expect(operationNamed(name)).toMatchObject({ console: true, danger: true }))

it.each(['anomaly.blocked_ips.delete', 'clients.update', 'users.update', 'user_blocks.lift_of_user'])(
  '%s does not',
  (name) => {
    const { console, danger } = operationNamed(name)
    expect([console, danger]).toEqual([true, undefined])
  },
)

it('keeps what a person put in for a form that is refused, but no secret', () => {
  const form = new FormData()
  for (const [name, value] of [
    ['_operation', 'clients.create'],
    ['text:name', 'Shop'],
    ['lines:callbacks', 'localhost:5173'],
    ['choices:grant_types', ''],
    ['choices:grant_types', 'implicit'],
    ['choices:grant_types', 'password'],
    ['secret:client_secret', 'a secret'],
  ] as const)
    form.append(name, value)
  expect(sentValues(form)).toEqual({
    'text:name': ['Shop'],
    'lines:callbacks': ['localhost:5173'],
    'choices:grant_types': ['', 'implicit', 'password'],
  })
})

describe('the controls of lists and objects', () => {
  const wasOf = (operation: string, names: string[], value: object) =>
    textsFrom(shownValues(fieldsOf(operationNamed(operation), names, value)))
  const entries = (texts: Readonly<Record<string, readonly string[]>>): [string, string][] =>
    Object.entries(texts).flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))

  it.each([
    [
      'resource_servers.update',
      'scopes',
      [
        { value: 'read:orders', description: 'Read' },
        { value: 'a', later: [1] },
      ],
    ],
    ['tenant_settings.update', 'enabled_locales', ['de', 'en']],
    ['tenant_settings.update', 'session_lifetime', 1.5],
    ['tenant_settings.update', 'rate_limits', { login: { burst: 5, per_minute: 2 }, signup: false }],
    ['organizations.update', 'metadata', { plan: 'gold', empty: '' }],
    ['organizations.update', 'branding', { logo_url: 'https://a.test/l.png', colors: { primary: '#123456' } }],
    ['users.update', 'user_metadata', { a: { b: [1] } }],
  ])('show and read %s %s without a change', (operation, name, value) => {
    const was = wasOf(operation, [name], { [name]: value })
    expect(readForm(entries(was), was)).toEqual({})
    const [field] = fieldsOf(operationNamed(operation), [name], { [name]: value })
    const read = readForm(entries(was), {})
    if (field) expect(read).toEqual({ [name]: value })
  })

  it('a row is added, moved and removed, and the list is sent as a whole', () => {
    const scopes = [{ value: 'a', description: 'A' }, { value: 'b' }]
    const was = wasOf('resource_servers.update', ['scopes'], { scopes })
    const sent: [string, string][] = [
      ['rows:scopes', ''],
      ['text:scopes.#0.value', 'b'],
      ['text:scopes.#1.value', ''],
      ['text:scopes.#2.value', 'c'],
      ['text:scopes.#2.description', 'C'],
    ]
    expect(readForm(sent, was)).toEqual({ scopes: [{ value: 'b' }, { value: 'c', description: 'C' }] })
    expect(readForm([['rows:scopes', '']], was)).toEqual({ scopes: [] })
  })

  it('what was taken out of an object with free names is null, and put back by an undo', () => {
    const was = wasOf('users.update', ['user_metadata'], { user_metadata: { a: 1, b: 2 } })
    const sent: [string, string][] = [['json:user_metadata', '{"b":2,"c":3}']]
    expect(readForm(sent, was)).toEqual({ user_metadata: { a: null, b: 2, c: 3 } })
    expect(bodyBefore(textsOf(sent), was)).toEqual({ user_metadata: { a: 1, b: 2, c: null } })
  })

  it('an undo has what was shown of the changed members alone, and none of a secret', () => {
    const was = { 'text:name': ['Shop'], 'text:description': [''], 'switch:a': ['true'], 'secret:key': [''] }
    const sent = { 'text:name': ['Store'], 'text:description': [''], 'switch:a': ['false'], 'secret:key': [''] }
    expect(bodyBefore(sent, was)).toEqual({ name: 'Shop', a: true })
    expect(bodyBefore({ ...sent, 'secret:key': ['x'] }, was)).toBeNull()
  })

  it('a duration is stored in the unit of its member', () => {
    const sent: [string, string][] = [
      ['duration:jwt_configuration.lifetime_in_seconds', '1.5'],
      ['duration:jwt_configuration.lifetime_in_seconds', '3600'],
    ]
    expect(readForm(sent, null)).toEqual({ jwt_configuration: { lifetime_in_seconds: 5400 } })
  })

  it('a name that every object inherits is no name of a row', () => {
    const sent: [string, string][] = [
      ['pairs:metadata', ''],
      ['text:metadata.#0.#name', '__proto__'],
      ['text:metadata.#0.#value', 'polluted'],
      ['rows:scopes', ''],
      ['text:scopes.#0.__proto__', 'polluted'],
      ['text:scopes.#1.value', 'a'],
      ['json:scopes.#1.#rest', '{"__proto__":{"x":1},"constructor":1,"b":1}'],
    ]
    expect(readForm(sent, null)).toEqual({ scopes: [{ value: 'a', b: 1 }] })
    expect(({} as { x?: string }).x).toBeUndefined()
  })
})

/** Nested data of the tenant's own, of which nothing here knows the members. */
const FREE_JSON = [
  ...['connections.create options', 'connections.update options'],
  ...['users.create user_metadata', 'users.create app_metadata'],
  ...['users.update user_metadata', 'users.update app_metadata'],
]

it('no member that has a control is edited as JSON, but for metadata of any shape', () => {
  const shown = OPERATIONS.filter((each) => each.console).flatMap((operation) => {
    const body = bodyOf(operation)
    const members = body ? groupsIn(body).flatMap((group) => group.members) : []
    return leavesOf(fieldsOf(operation, members))
      .filter(({ kind, options }) => kind === 'json' && options.length === 0)
      .map(({ name }) => `${operation.name} ${name}`)
  })
  expect(shown.filter((each) => !each.endsWith(' account_deletion_days')).sort()).toEqual([...FREE_JSON].sort())
})
