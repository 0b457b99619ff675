import type { Reference } from '../../../lib/management/console-call'
import { controlId, readableOf, shownValues } from '../../../lib/server/next/console/field'
import type { FormGroup } from '../../../lib/server/next/console/form'
import { say } from '../../../lib/text/console'
import { Facts } from './facts'
import type { FormPanel } from './form'
import { type FormOf, OperationForm } from './operation-form'
import { Panel } from './panel'
import { PanelIndex } from './panel-index'
import { type SettingsFormProps, splitFields } from './settings-form'

type Props = Omit<SettingsFormProps, 'members' | 'allowed' | 'also'> & {
  groups: readonly FormGroup[]
  /** False shows the values alone; of a function, for each member. */
  allowed: boolean | ((member: string, group: string) => boolean)
}

/** The panels of an object's members: one form, with one button for all that was changed. */
export function SettingsPanels<Of extends Reference>(props: Props & FormOf<Of>) {
  const { groups, allowed, value, schema, choices = {}, submitLabel, ...form }: Props = props
  const panels = groups.map(({ group, title, lead, members }): FormPanel => {
    const isAllowed = typeof allowed === 'function' ? (member: string) => allowed(member, group) : allowed
    const { open, closed } = splitFields({
      ...{ operation: form.operation, members, value, schema, choices },
      allowed: isAllowed,
    })
    return {
      id: group,
      title,
      lead,
      fields: open,
      facts: closed.map(
        (field) => [field.label, readableOf(field), controlId(form.operation.name, field.name)] as const,
      ),
    }
  })
  const fields = panels.flatMap((panel) => panel.fields)
  const was = value === undefined ? {} : { was: shownValues(fields) }
  return (
    <>
      <PanelIndex panels={panels} />
      {fields.length > 0 ? (
        <OperationForm
          id={form.operation.name}
          {...form}
          {...was}
          panels={panels}
          submitLabel={submitLabel ?? say('form.save')}
        />
      ) : (
        panels.map(({ id, title, lead, facts }) => (
          <Panel key={id} id={id} title={title} lead={lead}>
            <p className="co-hint">{say('form.readonly')}</p>
            <Facts facts={facts} />
          </Panel>
        ))
      )}
    </>
  )
}
