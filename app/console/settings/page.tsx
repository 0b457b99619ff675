import type { Metadata } from 'next'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { NotApplied } from '../_parts/not-applied'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { SettingsForm } from '../_parts/settings-form'
import { TabbedHead } from '../_parts/tabs'
import { SETTINGS } from './tabs'

export const metadata: Metadata = { title: say('settings.title') }

const GROUPS = [
  { group: 'basics', members: ['friendly_name', 'picture_url', 'support_email', 'support_url'] },
  { group: 'languages', members: ['enabled_locales'] },
  {
    group: 'sessions',
    members: [
      'session_lifetime',
      'idle_session_lifetime',
      'session_cookie.mode',
      'ephemeral_session_lifetime',
      'idle_ephemeral_session_lifetime',
      'remember_accounts',
    ],
  },
  {
    group: 'login',
    members: [
      'default_directory',
      'default_audience',
      'default_redirection_uri',
      'allowed_logout_urls',
      'allow_organization_name_in_authentication_api',
    ],
  },
  {
    group: 'accounts',
    members: [
      'flags.enable_public_signup_user_exists_error',
      'suggest_account_linking',
      'default_picture',
      'ask_for_own_factors',
      'account_deletion_days',
      'account_deletion_approval',
      'organization_connections',
    ],
  },
  {
    group: 'protocols',
    members: [
      'flags.enable_dynamic_client_registration',
      'private_use_redirect_uris',
      'security_profile',
      'resource_parameter_profile',
      'compat.errors',
      'compat.updated_at',
      'compat.id_token_claims',
    ],
  },
  { group: 'administrators', members: ['console_second_factor'] },
  { group: 'limits', members: ['rate_limits'] },
] as const

export default consolePage(async ({ console }) => {
  const [{ value: settings, tag, notApplied }, choices] = await Promise.all([
    console.readTagged('tenant_settings.read'),
    readChoices(console),
  ])
  return (
    <>
      <TabbedHead {...SETTINGS} console={console} path="/console/settings" />
      {GROUPS.map(({ group, members }) => (
        <Panel key={group} title={say(`settings.${group}`)} lead={say(`settings.${group}.lead`)}>
          <SettingsForm
            operation="tenant_settings.update"
            tag={tag}
            members={members}
            value={settings}
            choices={choices}
            allowed={
              console.may('tenant_settings.update') &&
              (group !== 'administrators' || console.may('administrators.update'))
            }
          />
        </Panel>
      ))}
      <NotApplied paths={notApplied} />
    </>
  )
})

const DELETION_DAYS = [1, 3, 7, 14, 30, 60, 90]

async function readChoices(console: Console) {
  const databases = console.may('connections.list')
    ? await console.read<{ name: string }[]>('connections.list', { query: { strategy: 'auth0', per_page: '100' } })
    : []
  return {
    default_directory: databases.map(({ name }) => ({ value: name, label: name })),
    account_deletion_days: [
      { value: 'false', label: say('settings.deletion.never') },
      ...DELETION_DAYS.map((days) => ({
        value: String(days),
        label: say('settings.deletion.days', { days: String(days) }),
      })),
    ],
  }
}
