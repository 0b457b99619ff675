import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { bodyOf, fieldsOf, formGroups, membersWithin } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { NotApplied } from '../_parts/not-applied'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { SettingsForm } from '../_parts/settings-form'
import { TabbedHead } from '../_parts/tabs'
import { SECURITY } from './tabs'

export const metadata: Metadata = { title: say('security.title') }

/** Each is an object of its own, whose members have its name as their group. */
const PROTECTIONS = [
  'brute_force_protection',
  'suspicious_ip_throttling',
  'breached_password_detection',
  'bot_detection',
  'captcha',
] as const

export default consolePage(async ({ console }) => {
  if (!console.may('brute_force_protection.read')) {
    const first = SECURITY.tabs.find(({ operation }) => console.may(operation))
    if (first) redirect(first.path)
  }
  const found = await Promise.all(PROTECTIONS.map((name) => console.readTagged(`${name}.read`)))
  return (
    <>
      <TabbedHead {...SECURITY} console={console} path="/console/security" />
      {PROTECTIONS.map((name, place) => {
        const operation = `${name}.update`
        const form = { operation, tag: found[place]?.tag ?? '', value: found[place]?.value }
        const allowed = console.may(operation)
        return formGroups(operation, 'security').map(({ group, title, lead, members }) => (
          <Panel key={group} title={title} lead={lead}>
            <SettingsForm {...form} members={members} allowed={allowed} />
            {name === 'captcha' && allowed && <CaptchaKeys {...form} />}
          </Panel>
        ))
      })}
      <NotApplied
        paths={PROTECTIONS.flatMap((name, place) => (found[place]?.notApplied ?? []).map((path) => `${name}.${path}`))}
      />
    </>
  )
})

function CaptchaKeys(form: { operation: string; tag: string; value: unknown }) {
  const [provider] = fieldsOf(form.operation, ['active_provider_id'])
  return provider?.options.map(({ value, label }) => {
    const members = membersWithin(value, bodyOf(form.operation))
    if (members.length === 0) return null
    return (
      <details key={value}>
        <summary className="co-summary">{say('security.captcha.keys', { provider: label })}</summary>
        <SettingsForm {...form} members={members} />
      </details>
    )
  })
}
