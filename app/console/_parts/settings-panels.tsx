import type { Reference } from '../../../lib/management/console-call'
import type { FormGroup } from '../../../lib/server/next/console/form'
import type { FormOf } from './operation-form'
import { Panel } from './panel'
import { SettingsForm, type SettingsFormProps } from './settings-form'

type Props = Omit<SettingsFormProps, 'members' | 'allowed'> & {
  groups: readonly FormGroup[]
  /** False shows the values alone; of a function, for each member. */
  allowed: boolean | ((member: string, group: string) => boolean)
}

/** A form for each group of members of an object. */
export function SettingsPanels<Of extends Reference>(props: Props & FormOf<Of>) {
  const { groups, allowed, ...form }: Props = props
  return groups.map(({ group, title, lead, members }) => (
    <Panel key={group} title={title} lead={lead}>
      <SettingsForm
        {...form}
        members={members}
        allowed={typeof allowed === 'function' ? (member) => allowed(member, group) : allowed}
      />
    </Panel>
  ))
}
