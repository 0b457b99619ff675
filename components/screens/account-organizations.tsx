import type { PageCommon, PortalView } from '../../lib/pages/view'
import type { Translate } from '../../lib/text/catalogue'
import { CheckField } from '../check-field'
import { Choices } from '../choices'
import { defineScreen, SAMPLE_PORTAL } from '../define-screen'
import { Item, ItemAction, PortalForm, PortalPage, portalPath } from '../portal-page'
import { safeLink } from '../safe-url'
import { SubmitButton } from '../submit-button'
import { TextField } from '../text-field'
import { Unbroken } from '../unbroken'
import { When } from '../when'

/**
 * Posts: organization, and email, client, action=invite; or invitation, action=withdraw; or member, action=remove; or member, role, action=give or take;
 * or strategy, address, client_id, client_secret, metadata, assign, action=connect; or action=disconnect.
 */
type OrganizationsView = PortalView & {
  organizations: { id: string; name: string; manages: boolean }[]
  /** Invitations that the user has not accepted yet. */
  waiting: { id: string; organization: string; inviter: string; link: string; until: string }[]
  /** The one that the user administers and the address names. */
  managed?: Managed
}

type Managed = {
  id: string
  name: string
  members: Member[]
  invitations: { id: string; email: string; until: string }[]
  /** To which people can be invited. */
  applications: { clientId: string; name: string }[]
  /** Its own identity provider; absent where the tenant does not offer that. */
  provider?: { connected: Connected | null }
}

type Connected = {
  strategy: string
  address: string
  clientId: string
  assigns: boolean
  /** What the provider needs to know of this server. */
  callback: string
  entityId?: string
}

type Member = {
  id: string
  name: string
  email?: string
  isSelf: boolean
  roles: { id: string; name: string; removable: boolean }[]
  /** Those that can be given. */
  assignable: { id: string; name: string }[]
}

type Action = 'invite' | 'withdraw' | 'remove' | 'give' | 'take' | 'connect' | 'disconnect'

const INVITE: Action = 'invite'
const WITHDRAW: Action = 'withdraw'
const REMOVE: Action = 'remove'
const GIVE: Action = 'give'
const TAKE: Action = 'take'
const CONNECT: Action = 'connect'
const DISCONNECT: Action = 'disconnect'

type Props = { view: OrganizationsView & PageCommon; t: Translate }

function OrganizationsScreen({ view, t }: Props) {
  const { organizations, waiting, managed } = view
  return (
    <PortalPage page="organizations" view={view} t={t}>
      {organizations.length === 0 && <p className="aside">{t('portal.organizations.none')}</p>}
      <ul className="portal-list">
        {organizations.map(({ id, name, manages }) => (
          <Item key={id} title={name} details={[]}>
            {manages && (
              <a
                className="portal-link"
                href={`${portalPath('organizations')}?organization=${encodeURIComponent(id)}`}
                aria-current={id === managed?.id ? 'page' : undefined}
              >
                {t('portal.organizations.manage')}
                <span className="sr-only">: {name}</span>
              </a>
            )}
          </Item>
        ))}
      </ul>
      {waiting.length > 0 && (
        <>
          <h2 className="card-title">
            <Unbroken text={t('portal.organizations.waiting')} />
          </h2>
          <ul className="portal-list">
            {waiting.map(({ id, organization, inviter, link, until }) => (
              <Item
                key={id}
                title={organization}
                details={[
                  <>
                    {t('portal.organizations.inviter')} <bdi>{inviter}</bdi>
                  </>,
                  <>
                    {t('portal.organizations.until')} <When at={until} locale={view.locale} />
                  </>,
                ]}
              >
                <a className="portal-link" href={safeLink(link)} rel="noreferrer">
                  {t('portal.organizations.accept')}
                  <span className="sr-only">: {organization}</span>
                </a>
              </Item>
            ))}
          </ul>
        </>
      )}
      {managed && <Administration managed={managed} view={view} t={t} />}
    </PortalPage>
  )
}

function Administration({ managed, view, t }: Props & { managed: Managed }) {
  const form = { page: 'organizations', view } as const
  const { id: organization, name, members, invitations, applications } = managed
  return (
    <>
      <h2 className="card-title">
        <Unbroken text={t('portal.organizations.members', { name })} />
      </h2>
      <ul className="portal-list">
        {members.map((member) => (
          <Item
            key={member.id}
            title={member.name}
            details={[
              member.email !== undefined && member.email !== member.name && <bdi>{member.email}</bdi>,
              member.isSelf && t('portal.organizations.self'),
              member.roles.length > 0 && (
                <>
                  {t('portal.organizations.roles')} <bdi>{member.roles.map((role) => role.name).join(', ')}</bdi>
                </>
              ),
            ]}
          >
            {member.roles
              .filter(({ removable }) => removable)
              .map((role) => (
                <ItemAction
                  key={role.id}
                  {...form}
                  fields={{ organization, member: member.id, role: role.id }}
                  action={TAKE}
                  label={t('portal.organizations.take', { role: role.name })}
                  about={member.name}
                />
              ))}
            {member.assignable.length > 0 && (
              <PortalForm {...form} fields={{ organization, member: member.id }}>
                <Choices
                  name="role"
                  legend={
                    <>
                      {t('portal.organizations.role')}
                      <span className="sr-only">: {member.name}</span>
                    </>
                  }
                  choices={member.assignable.map((role) => ({ value: role.id, label: spelled(role.name) }))}
                  chosen={member.assignable[0]?.id}
                />
                <SubmitButton value={GIVE} look="secondary">
                  {t('portal.organizations.give')}
                  <span className="sr-only">: {member.name}</span>
                </SubmitButton>
              </PortalForm>
            )}
            {!member.isSelf && (
              <ItemAction
                {...form}
                fields={{ organization, member: member.id }}
                action={REMOVE}
                label={t('portal.remove')}
                about={member.name}
              />
            )}
          </Item>
        ))}
      </ul>
      <h2 className="card-title">
        <Unbroken text={t('portal.organizations.invitations')} />
      </h2>
      <ul className="portal-list">
        {invitations.map(({ id, email, until }) => (
          <Item
            key={id}
            title={email}
            details={[
              <>
                {t('portal.organizations.until')} <When at={until} locale={view.locale} />
              </>,
            ]}
          >
            <ItemAction
              {...form}
              fields={{ organization, invitation: id }}
              action={WITHDRAW}
              label={t('portal.organizations.withdraw')}
              about={email}
            />
          </Item>
        ))}
      </ul>
      {applications.length === 0 ? (
        <p className="aside">{t('portal.organizations.no_app')}</p>
      ) : (
        <PortalForm {...form} fields={{ organization }}>
          <TextField
            name="email"
            type="email"
            label={t('portal.organizations.email')}
            autoComplete="off"
            maxLength={320}
          />
          <Choices
            name="client"
            legend={t('portal.organizations.app')}
            choices={applications.map((app) => ({ value: app.clientId, label: spelled(app.name) }))}
            chosen={applications[0]?.clientId}
          />
          <div className="form-actions">
            <SubmitButton value={INVITE}>{t('portal.organizations.invite')}</SubmitButton>
          </div>
        </PortalForm>
      )}
      {managed.provider && <Provider connected={managed.provider.connected} managed={managed} view={view} t={t} />}
    </>
  )
}

function Provider({ connected, managed, view, t }: Props & { managed: Managed; connected: Connected | null }) {
  const form = { page: 'organizations', view } as const
  const fields = { organization: managed.id }
  const optional = { autoComplete: 'off', required: false } as const
  return (
    <>
      <h2 className="card-title">
        <Unbroken text={t('portal.organizations.provider')} />
      </h2>
      <p className="card-lead">{t('portal.organizations.provider_lead', { name: managed.name })}</p>
      {connected && (
        <dl className="portal-terms">
          <dt>{t('portal.organizations.callback')}</dt>
          <dd>
            <bdi>{connected.callback}</bdi>
          </dd>
          {connected.entityId !== undefined && (
            <>
              <dt>{t('portal.organizations.entity')}</dt>
              <dd>
                <bdi>{connected.entityId}</bdi>
              </dd>
            </>
          )}
        </dl>
      )}
      <PortalForm {...form} fields={fields}>
        {!connected && (
          <Choices name="strategy" legend={t('portal.organizations.protocol')} choices={PROTOCOLS} chosen="oidc" />
        )}
        <TextField
          {...optional}
          name="address"
          type="url"
          label={t('portal.organizations.provider_address')}
          defaultValue={connected?.address}
          maxLength={2000}
        />
        {connected?.strategy !== 'samlp' && (
          <>
            <TextField
              {...optional}
              name="client_id"
              label={t('portal.organizations.client_id')}
              defaultValue={connected?.clientId}
              maxLength={1024}
            />
            <TextField
              {...optional}
              name="client_secret"
              type="password"
              autoComplete="new-password"
              label={t('portal.organizations.client_secret')}
              maxLength={2000}
            />
          </>
        )}
        {connected?.strategy !== 'oidc' && (
          <div className="field">
            <label className="field-label" htmlFor="metadata">
              {t('portal.organizations.metadata')}
            </label>
            <div className="field-frame">
              <textarea className="field-input" id="metadata" name="metadata" rows={4} dir="ltr" spellCheck={false} />
            </div>
          </div>
        )}
        <CheckField
          name="assign"
          label={t('portal.organizations.assign')}
          required={false}
          checked={connected?.assigns ?? true}
        />
        <div className="form-actions">
          <SubmitButton value={CONNECT}>{t('portal.organizations.connect')}</SubmitButton>
        </div>
      </PortalForm>
      {connected && (
        <ItemAction
          {...form}
          fields={fields}
          action={DISCONNECT}
          label={t('portal.organizations.disconnect')}
          about={managed.name}
        />
      )}
    </>
  )
}

const PROTOCOLS = [
  { value: 'oidc', label: <span>OpenID Connect</span> },
  { value: 'samlp', label: <span>SAML 2.0</span> },
]

/** A name in the direction of its own letters. */
const spelled = (name: string) => (
  <span>
    <bdi>{name}</bdi>
  </span>
)

const SAMPLE: Managed = {
  id: 'org_1',
  name: 'Acme',
  members: [
    {
      id: '1',
      name: 'Ada',
      email: 'ada@example.com',
      isSelf: true,
      roles: [{ id: 'r1', name: 'Owners', removable: false }],
      assignable: [{ id: 'r2', name: 'Editors' }],
    },
    {
      id: '2',
      name: 'grace@example.com',
      email: 'grace@example.com',
      isSelf: false,
      roles: [{ id: 'r2', name: 'Editors', removable: true }],
      assignable: [],
    },
  ],
  invitations: [{ id: 'uinv_1', email: 'new@example.com', until: '2027-01-15T08:00:00.000Z' }],
  applications: [
    { clientId: 'a', name: 'Harbour Notes' },
    { clientId: 'b', name: 'Orders' },
  ],
}
const OIDC: Connected = {
  strategy: 'oidc',
  address: 'https://idp.example.com/.well-known/openid-configuration',
  clientId: 'latchkey',
  assigns: true,
  callback: 'https://login.example.com/login/callback',
}
const SAML: Connected = {
  ...OIDC,
  strategy: 'samlp',
  address: 'https://idp.example.com/metadata',
  clientId: '',
  assigns: false,
  entityId: 'urn:login.example.com:sso-1',
}
const WAITING = {
  id: 'uinv_2',
  organization: 'Harbour Pilots',
  inviter: 'Grace',
  link: 'https://app.example.com/login?invitation=t&organization=org_2&organization_name=harbour',
  until: '2027-01-15T08:00:00.000Z',
}
const MEMBERSHIPS = [{ id: 'org_1', name: 'Acme', manages: true }]

export const screen = defineScreen<OrganizationsView>({
  title: (_view, t) => t('portal.organizations.title'),
  component: OrganizationsScreen,
  samples: [
    { ...SAMPLE_PORTAL, organizations: [{ id: 'org_1', name: 'Acme', manages: false }], waiting: [] },
    { ...SAMPLE_PORTAL, organizations: [], waiting: [WAITING] },
    { ...SAMPLE_PORTAL, organizations: MEMBERSHIPS, waiting: [], managed: SAMPLE },
    {
      ...SAMPLE_PORTAL,
      organizations: MEMBERSHIPS,
      waiting: [],
      managed: { ...SAMPLE, invitations: [], applications: [] },
    },
    {
      ...SAMPLE_PORTAL,
      organizations: MEMBERSHIPS,
      waiting: [],
      managed: { ...SAMPLE, provider: { connected: null } },
    },
    {
      ...SAMPLE_PORTAL,
      organizations: MEMBERSHIPS,
      waiting: [],
      managed: { ...SAMPLE, provider: { connected: OIDC } },
    },
    {
      ...SAMPLE_PORTAL,
      organizations: MEMBERSHIPS,
      waiting: [],
      managed: { ...SAMPLE, provider: { connected: SAML } },
    },
    { ...SAMPLE_PORTAL, organizations: [], waiting: [] },
  ],
})
