// Every value that the vendor's enumerations name, each as the smallest tenant file that has it: of the types of its SDK, and of the
// schema by which its Deploy CLI checks a file.
import { createRequire } from 'node:module'
import { isJsonObject, type Json, type JsonObject, mergeObjects, objectIn } from '../kernel/json'
import { makeClientKey } from './client-key'
import { vendorTypes } from './vendor-types'

type Value = string | boolean

/** `place` names the value: `clients.app_type`. */
export type VendorCase = { section: string; place: string; value: Value; file: JsonObject }

/** The smallest file with a value at a path of an entry. */
type FileOf = (path: string, value: Value) => JsonObject

/** What an entry needs beside the value, by the beginning of the value's path. */
type Companions = Readonly<Record<string, JsonObject>>

const CREDENTIAL = { name: 'key', credential_type: 'public_key', pem: makeClientKey().pem }

const listed =
  (section: string, entry: JsonObject, companions: Companions = {}): FileOf =>
  (path, value) => ({
    [section]: [put(Object.assign({}, entry, ...companionsOf(companions, path)), path, value)],
  })

const mapped =
  (section: string): FileOf =>
  (path, value) => ({ [section]: put({}, path, value) })

const companionsOf = (companions: Companions, path: string): JsonObject[] =>
  Object.entries(companions).flatMap(([prefix, members]) => (path.startsWith(prefix) ? [members] : []))

/** The object with a value at a path such as `options.shields[]` or `texts.*`. */
function put(holder: Json | undefined, path: string, value: Json): Json {
  const [, first = '', rest = ''] = /^(\[\]|\.?[^.[]+)(.*)$/s.exec(path) ?? []
  if (first === '') return value
  if (first === '[]') return [put(Array.isArray(holder) ? holder[0] : undefined, rest, value)]
  const name = first.replace(/^\./, '').replace('*', 'any')
  const object = isJsonObject(holder) ? holder : {}
  return { ...object, [name]: put(object[name], rest, value) }
}

const clients = listed(
  'clients',
  { name: 'Application' },
  {
    default_organization: { default_organization: { organization_id: 'org_1' } },
    'client_authentication_methods.private_key_jwt': {
      client_authentication_methods: { private_key_jwt: { credentials: [CREDENTIAL] } },
    },
    'signed_request_object.credentials': { signed_request_object: { credentials: [CREDENTIAL] } },
  },
)

const resourceServers = listed(
  'resourceServers',
  { identifier: 'https://api.example' },
  { proof_of_possession: { proof_of_possession: { mechanism: 'dpop', required: true } } },
)

const actions = listed(
  'actions',
  { name: 'Action', code: 'exports.onExecutePostLogin = async () => {}' },
  { supported_triggers: { supported_triggers: [{ id: 'post-login', version: 'v3' }] } },
)

const smtp = { smtp_host: 'mail.example', smtp_port: 587, smtp_user: 'user', smtp_pass: 'word' }
const emailProvider: FileOf = (path, value) => {
  const eu = path === 'credentials.region'
  const kind = eu
    ? { name: 'mailgun', credentials: { api_key: 'key', domain: 'mail.example' } }
    : { name: 'smtp', credentials: smtp }
  return { emailProvider: put({ ...kind, default_from_address: 'a@mail.example' }, path, value) }
}

const SINKS: Readonly<Record<string, JsonObject>> = {
  aws: { type: 'eventbridge', sink: { awsAccountId: '123456789012' } },
  azure: { type: 'eventgrid', sink: { azureSubscriptionId: 'b69a6835-57c7-4d53-b0d5-1c6ae580b6d5' } },
  datadog: { type: 'datadog', sink: { datadogApiKey: 'key' } },
  mixpanel: {
    type: 'mixpanel',
    sink: { mixpanelProjectId: '1', mixpanelServiceAccountUsername: 'a', mixpanelServiceAccountPassword: 'b' },
  },
  splunk: { type: 'splunk', sink: { splunkDomain: 'splunk.example', splunkToken: 'token', splunkPort: '8088' } },
  http: { type: 'http', sink: { httpEndpoint: 'https://logs.example' } },
}
const logStreams: FileOf = (path, value) => {
  const kind = Object.keys(SINKS).find((each) => path.startsWith(`sink.${each}`)) ?? 'http'
  const filters = { filters: { filters: [{ type: 'category', name: 'user.fail' }] } }
  return listed('logStreams', { name: 'Stream', ...SINKS[kind] }, filters)(path, value)
}

const twilio = {
  name: 'twilio',
  configuration: { sid: 'AC0123', default_from: '+12125550001', delivery_methods: ['text'] },
  credentials: { auth_token: 'token' },
}

/** Options that any strategy needs. */
const ADDRESS = 'https://idp.example'
const OPTIONS = {
  client_id: 'id',
  client_secret: 'secret',
  app_secret: 'secret',
  team_id: 'team',
  kid: 'key',
  domain: 'idp.example',
  tenant_domain: 'idp.example',
  adfs_server: 'idp.example',
  metadataUrl: ADDRESS,
  discovery_url: ADDRESS,
  authorizationURL: ADDRESS,
  tokenURL: ADDRESS,
  userinfo_endpoint: ADDRESS,
}

const connections = (strategy: string, section = 'connections'): FileOf =>
  listed(section, { name: 'connection', strategy, ...(strategy === 'auth0' ? {} : { options: OPTIONS }) })

const customText = (language: string, prompt: string): JsonObject => ({
  prompts: { customText: { [language]: { [prompt]: { [prompt]: { title: 'Title' } } } } },
})

/** The sections that are lists, and those with entries that need more than the value. */
const SECTIONS: Readonly<Record<string, FileOf>> = {
  actions,
  attackProtection: mapped('attackProtection'),
  clientGrants: listed('clientGrants', { client_id: 'A', audience: 'https://api.example' }),
  clients,
  connections: connections('oidc'),
  databases: connections('auth0', 'databases'),
  emailProvider,
  emailTemplates: listed('emailTemplates', { template: 'welcome_email' }),
  guardianFactors: listed('guardianFactors', { name: 'otp', enabled: true }),
  logStreams,
  organizations: listed('organizations', { name: 'organization' }, { connections: { connections: [{ name: 'a' }] } }),
  phoneProviders: listed('phoneProviders', twilio),
  phoneTemplates: listed('phoneTemplates', { type: 'otp_verify' }),
  resourceServers,
  roles: listed('roles', { name: 'Role' }),
  tokenExchangeProfiles: listed('tokenExchangeProfiles', {
    ...{ name: 'Entry', subject_token_type: 'urn:acme:token', action: 'Judge' },
  }),
  themes: listed('themes', { displayName: 'Theme' }),
}

/** Types of the SDK: the section of the file, and where in an entry the type stands. */
const TYPES: readonly (readonly [type: string, section: string, prefix?: string])[] = [
  ['ActionTriggerTypeEnum', 'actions', 'supported_triggers[].id'],
  ['CreateActionRequestContent', 'actions'],
  ['CreateBrandingPhoneProviderRequestContent', 'phoneProviders'],
  ['CreateBrandingThemeRequestContent', 'themes'],
  ['CreateClientGrantRequestContent', 'clientGrants'],
  ['CreateClientRequestContent', 'clients'],
  ['CreateEmailProviderRequestContent', 'emailProvider'],
  ['CreateEmailTemplateRequestContent', 'emailTemplates'],
  ['CreateLogStreamRequestContent', 'logStreams'],
  ['CreateOrganizationConnectionRequestContent', 'organizations', 'connections[].'],
  ['CreateOrganizationRequestContent', 'organizations'],
  ['CreatePhoneTemplateRequestContent', 'phoneTemplates'],
  ['CreateResourceServerRequestContent', 'resourceServers'],
  ['CreateRoleRequestContent', 'roles'],
  ['GuardianFactorNameEnum', 'guardianFactors', 'name'],
  ['MfaPolicyEnum', 'guardianPolicies', 'policies[]'],
  ['SetGuardianFactorPhoneMessageTypesRequestContent', 'guardianPhoneFactorMessageTypes'],
  ['UpdateAttackProtectionCaptchaRequestContent', 'attackProtection', 'captcha.'],
  ['UpdateBotDetectionSettingsRequestContent', 'attackProtection', 'botDetection.'],
  ['UpdateBreachedPasswordDetectionSettingsRequestContent', 'attackProtection', 'breachedPasswordDetection.'],
  ['UpdateBruteForceSettingsRequestContent', 'attackProtection', 'bruteForceProtection.'],
  ['UpdateSettingsRequestContent', 'prompts'],
  ['UpdateSuspiciousIpThrottlingSettingsRequestContent', 'attackProtection', 'suspiciousIpThrottling.'],
  ['UpdateTenantSettingsRequestContent', 'tenant'],
]

export function vendorCases(): VendorCase[] {
  const sdk = vendorTypes()
  const valuesOf = (type: string) =>
    [...sdk.enumerationsOf(type)].flatMap(([path, values]) => [...values].map((value) => ({ path, value })))
  const ofTypes = TYPES.flatMap(([type, section, prefix = '']) =>
    valuesOf(type).map(({ path, value }) => caseOf(section, `${prefix}${path}`, value)),
  )
  const ofConnections = sdk.typesNamed(/^CreateConnectionRequestContent\w+$/).flatMap((type) => {
    const strategy = String([...(sdk.enumerationsOf(type).get('strategy') ?? [])][0])
    const section = strategy === 'auth0' ? 'databases' : 'connections'
    const fileOf = connections(strategy, section)
    return valuesOf(type).map(({ path, value }) => caseOf(section, path, value, fileOf, `[${strategy}]`))
  })
  const ofKeys = [
    ...valuesOf('ActionTriggerTypeEnum').map(({ value }) =>
      caseOf('triggers', '', value, () => ({ triggers: { [String(value)]: [{ action_name: 'A' }] } })),
    ),
    ...valuesOf('PromptLanguageEnum').map(({ value }) =>
      caseOf('prompts', 'customText', value, () => customText(String(value), 'login')),
    ),
    ...valuesOf('PromptGroupNameEnum').map(({ value }) =>
      caseOf('prompts', 'customText.en', value, () => customText('en', String(value))),
    ),
  ]
  return [...ofTypes, ...ofConnections, ...ofKeys, ...ofSchema()]
}

/** What names an entry of a list, in sections where a name can be chosen, and where it cannot. */
const FREE: Readonly<Record<string, string>> = {
  actions: 'name',
  clients: 'name',
  connections: 'name',
  databases: 'name',
  logStreams: 'name',
  organizations: 'name',
  resourceServers: 'identifier',
  roles: 'name',
}
const FIXED: Readonly<Record<string, string>> = {
  emailTemplates: 'template',
  guardianFactors: 'name',
  phoneProviders: 'name',
  phoneTemplates: 'type',
}

/** One file with every value: entries have names of their own, and what can exist once has the last of two values. */
export function everyValue(): JsonObject {
  let whole: JsonObject = {}
  let count = 0
  for (const { section, file } of distinct(vendorCases())) {
    const given = file[section]
    if (!Array.isArray(given)) {
      whole = mergeObjects(whole, file)
      continue
    }
    const before = Array.isArray(whole[section]) ? whole[section] : []
    const [entry = {}] = given.filter(isJsonObject)
    const name = FREE[section]
    count += 1
    const isSame = (each: Json): boolean => {
      const key = FIXED[section]
      return name === undefined && (key === undefined || objectIn(each)[key] === entry[key])
    }
    const merged = mergeObjects(objectIn(before.find(isSame)), entry)
    const named = name === undefined ? merged : { ...entry, [name]: `entry-${count}` }
    whole = { ...whole, [section]: [...before.filter((each) => !isSame(each)), named] }
  }
  return whole
}

/** Once for all strategies and sources. A tenant has twenty streams at most, so not one for each category. */
function distinct(cases: readonly VendorCase[]): VendorCase[] {
  const named = cases.filter(({ place, value }) => typeof value === 'string' && !place.includes('filters[].name'))
  return [...new Map(named.map((each) => [`${each.place.replace(/\[[\w-]+\]\./, '.')} ${each.value}`, each])).values()]
}

const caseOf = (
  section: string,
  path: string,
  value: Value,
  fileOf: FileOf = SECTIONS[section] ?? mapped(section),
  kind = '',
): VendorCase => ({ section, place: `${section}${kind}.${path}`, value, file: fileOf(path, value) })

type Schema = {
  enum?: (Value | null)[]
  type?: string | string[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  anyOf?: Schema[]
  oneOf?: Schema[]
}

function ofSchema(): VendorCase[] {
  const { default: file } = createRequire(import.meta.url)('auth0-deploy-cli/lib/tools/auth0/schema') as {
    default: { properties: Readonly<Record<string, Schema>> }
  }
  // Triggers are a map in a file, whatever the schema says; `ofKeys` has them.
  const { exclude: _exclude, include: _include, triggers: _triggers, ...sections } = file.properties
  return Object.entries(sections).flatMap(([section, schema]) => {
    const entry = schema.type === 'array' ? schema.items : schema
    const fileOf = SECTIONS[section] ?? (schema.type === 'array' ? listed(section, { name: 'Entry' }) : mapped(section))
    return enumerated(entry, '').map(({ path, value }) => caseOf(section, path, value, fileOf, '[file]'))
  })
}

function enumerated(schema: Schema | undefined, path: string): { path: string; value: Value }[] {
  if (!schema) return []
  const { enum: named = [], items, properties = {}, anyOf = [], oneOf = [] } = schema
  return [
    ...named.flatMap((value) => (value === null ? [] : [{ path, value }])),
    ...enumerated(items, `${path}[]`),
    ...Object.entries(properties).flatMap(([name, member]) =>
      enumerated(member, path === '' ? name : `${path}.${name}`),
    ),
    ...[...anyOf, ...oneOf].flatMap((part) => enumerated(part, path)),
  ]
}
