import type { Metadata } from 'next'
import { administrators } from '../../../lib/management/resources/administrators'
import { tenantSettings } from '../../../lib/management/resources/tenant-settings'
import { formGroups } from '../../../lib/server/next/console/form'
import { choicesOf } from '../../../lib/server/next/console/pickers'
import { say } from '../../../lib/text/console'
import { NotApplied } from '../_parts/not-applied'
import { consolePage } from '../_parts/page'
import { SettingsPanels } from '../_parts/settings-panels'
import { TabbedHead } from '../_parts/tabs'
import { SETTINGS } from './tabs'

export const metadata: Metadata = { title: say('settings.title') }

const DELETION_CHOICES = [
  { value: 'false', label: say('settings.deletion.never') },
  ...[1, 3, 7, 14, 30, 60, 90].map((days) => ({
    value: String(days),
    label: say('settings.deletion.days', { days: String(days) }),
  })),
]

export default consolePage(async ({ console }) => {
  const groups = formGroups(tenantSettings.update, 'settings')
  const [{ value: settings, tag, notApplied }, choices] = await Promise.all([
    console.readTagged(tenantSettings.read),
    choicesOf(
      tenantSettings.update,
      groups.flatMap(({ members }) => members),
      console,
    ),
  ])
  return (
    <>
      <TabbedHead {...SETTINGS} console={console} path="/console/settings" viewed={{ kind: 'tenant', id: 'all' }} />
      <SettingsPanels
        groups={groups}
        operation={tenantSettings.update}
        tag={tag}
        value={settings}
        choices={{ ...choices, account_deletion_days: DELETION_CHOICES }}
        allowed={(_member, group) =>
          console.may(tenantSettings.update) && (group !== 'administrators' || console.may(administrators.update))
        }
      />
      <NotApplied paths={notApplied} />
    </>
  )
})
