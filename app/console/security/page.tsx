import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { Reference } from '../../../lib/management/console-call'
import { attackProtection } from '../../../lib/management/resources/attack-protection'
import { bodyOf, fieldsOf, formGroups, membersWithin } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { NotApplied } from '../_parts/not-applied'
import { consolePage } from '../_parts/page'
import { Panel } from '../_parts/panel'
import { SettingsForm } from '../_parts/settings-form'
import { TabbedHead } from '../_parts/tabs'
import { SECURITY } from './tabs'

export const metadata: Metadata = { title: say('security.title') }

/** The members of each have its name as their group. */
const PROTECTIONS = Object.entries({
  brute_force_protection: attackProtection.bruteForce,
  suspicious_ip_throttling: attackProtection.suspiciousIps,
  breached_password_detection: attackProtection.breachedPasswords,
  bot_detection: attackProtection.botDetection,
  captcha: attackProtection.captcha,
})

export default consolePage(async ({ console }) => {
  if (!console.may(attackProtection.bruteForce.read)) {
    const first = SECURITY.tabs.find(({ operation }) => console.may(operation))
    if (first) redirect(first.path)
  }
  const found = await Promise.all(PROTECTIONS.map(([, { read }]) => console.readTagged(read)))
  return (
    <>
      <TabbedHead
        {...SECURITY}
        console={console}
        path="/console/security"
        viewed={{ kind: 'attack-protection', id: 'all' }}
      />
      {PROTECTIONS.map(([name, { update: operation }], place) => {
        const form = { id: operation.name, operation, tag: found[place]?.tag ?? '', value: found[place]?.value }
        const allowed = console.may(operation)
        return formGroups(operation, 'security').map(({ group, title, lead, members }) => (
          <Panel key={group} title={title} lead={lead}>
            <SettingsForm {...form} members={members} allowed={allowed} />
            {name === 'captcha' && allowed && <CaptchaKeys {...form} />}
          </Panel>
        ))
      })}
      <NotApplied
        paths={PROTECTIONS.flatMap(([name], place) =>
          (found[place]?.notApplied ?? []).map((path) => `${name}.${path}`),
        )}
      />
    </>
  )
})

function CaptchaKeys(form: { id: string; operation: Reference; tag: string; value: unknown }) {
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
