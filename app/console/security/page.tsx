import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { Reference } from '../../../lib/management/console-call'
import { attackProtection } from '../../../lib/management/resources/attack-protection'
import { bodyOf, fieldsOf, membersWithin } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { NotApplied } from '../_parts/not-applied'
import { consolePage } from '../_parts/page'
import { SettingsOfSeveral, settingsPart } from '../_parts/settings-panels'
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
  const parts = await Promise.all(PROTECTIONS.map(([, each]) => settingsPart(each, 'security', console)))
  return (
    <>
      <TabbedHead
        {...SECURITY}
        console={console}
        path="/console/security"
        viewed={{ kind: 'attack-protection', id: 'all' }}
      />
      <SettingsOfSeveral
        parts={parts.map((part) => ({
          ...part,
          folds: part.operation === attackProtection.captcha.update ? captchaKeys(part.operation) : [],
        }))}
      />
      <NotApplied
        paths={PROTECTIONS.flatMap(([name], place) =>
          (parts[place]?.notApplied ?? []).map((path) => `${name}.${path}`),
        )}
      />
    </>
  )
})

/** The members of each provider. */
function captchaKeys(operation: Reference): { title: string; members: string[] }[] {
  const [provider] = fieldsOf(operation, ['active_provider_id'])
  return (provider?.options ?? []).map(({ value, label }) => ({
    title: say('security.captcha.keys', { provider: label }),
    members: membersWithin(value, bodyOf(operation)),
  }))
}
