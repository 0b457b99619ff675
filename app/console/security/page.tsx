import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { say } from '../../../lib/text/console'
import { describeOption, describeOptions } from '../../../lib/text/console-members'
import { NotApplied } from '../_parts/not-applied'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { SettingsForm } from '../_parts/settings-form'
import { TabbedHead } from '../_parts/tabs'
import { SECURITY } from './tabs'

export const metadata: Metadata = { title: say('security.title') }

/** Without the options that have no effect here. */
const CHOICES = {
  shields: describeOptions('shields', ['block', 'user_notification']),
  'stage.pre-user-registration.shields': describeOptions('stage.pre-user-registration.shields', ['block']),
  'stage.pre-change-password.shields': describeOptions('stage.pre-change-password.shields', ['block']),
}

const PROTECTIONS = [
  { name: 'brute_force_protection', members: ['enabled', 'shields', 'max_attempts', 'mode', 'allowlist'] },
  {
    name: 'suspicious_ip_throttling',
    choices: { shields: describeOptions('shields', ['block']) },
    members: [
      'enabled',
      'shields',
      'stage.pre-login.max_attempts',
      'stage.pre-user-registration.max_attempts',
      'allowlist',
    ],
  },
  {
    name: 'breached_password_detection',
    members: ['enabled', 'shields', 'stage.pre-user-registration.shields', 'stage.pre-change-password.shields'],
  },
  {
    name: 'bot_detection',
    members: [
      'bot_detection_level',
      'challenge_password_policy',
      'challenge_passwordless_policy',
      'challenge_password_reset_policy',
      'monitoring_mode_enabled',
      'allowlist',
    ],
  },
  { name: 'captcha', members: ['active_provider_id'] },
] as const

export default consolePage(async ({ console }) => {
  if (!console.may('brute_force_protection.read')) {
    const first = SECURITY.tabs.find(({ operation }) => console.may(operation))
    if (first) redirect(first.path)
  }
  const found = await Promise.all(PROTECTIONS.map(({ name }) => console.readTagged(`${name}.read`)))
  return (
    <>
      <TabbedHead {...SECURITY} console={console} path="/console/security" />
      {PROTECTIONS.map((protection, place) => {
        const { name, members } = protection
        const form = {
          operation: `${name}.update`,
          tag: found[place]?.tag ?? '',
          value: found[place]?.value,
          allowed: console.may(`${name}.update`),
        }
        return (
          <Panel key={name} title={say(`security.${name}`)} lead={say(`security.${name}.lead`)}>
            <SettingsForm
              {...form}
              members={members}
              choices={'choices' in protection ? protection.choices : CHOICES}
            />
            {name === 'captcha' && form.allowed && <CaptchaKeys {...form} />}
          </Panel>
        )
      })}
      <NotApplied
        paths={PROTECTIONS.flatMap(({ name }, place) =>
          (found[place]?.notApplied ?? []).map((path) => `${name}.${path}`),
        )}
      />
    </>
  )
})

const CAPTCHA_KEYS = {
  recaptcha_v2: ['site_key', 'secret'],
  recaptcha_enterprise: ['site_key', 'project_id', 'api_key'],
  hcaptcha: ['site_key', 'secret'],
  turnstile: ['site_key', 'secret'],
} as const

function CaptchaKeys(form: { operation: string; tag: string; value: unknown }) {
  return Object.entries(CAPTCHA_KEYS).map(([provider, members]) => (
    <details key={provider}>
      <summary className="co-summary">
        {say('security.captcha.keys', { provider: describeOption('active_provider_id', provider) })}
      </summary>
      <SettingsForm {...form} members={members.map((member) => `${provider}.${member}`)} />
    </details>
  ))
}
