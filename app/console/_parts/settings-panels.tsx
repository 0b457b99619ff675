import type { ReactNode } from 'react'
import type { Reference } from '../../../lib/management/console-call'
import { controlId, type Field, fieldIn, readableOf, shownValues } from '../../../lib/server/next/console/field'
import { type FormGroup, formGroups } from '../../../lib/server/next/console/form'
import type { Console } from '../../../lib/server/next/console/page'
import { say } from '../../../lib/text/console'
import { Facts } from './facts'
import { Form, type FormPanel } from './form'
import { type FormOf, OperationForm } from './operation-form'
import { Panel } from './panel'
import { type IndexEntry, PanelIndex } from './panel-index'
import { type SettingsFormProps, splitFields } from './settings-form'

type Shown = Pick<SettingsFormProps, 'operation' | 'value' | 'schema' | 'choices'> & {
  groups: readonly FormGroup[]
  /** False shows the values alone; of a function, for each member. */
  allowed: boolean | ((member: string, group: string) => boolean)
}

type Props = Omit<SettingsFormProps, 'members' | 'allowed' | 'also'> &
  Shown & {
    /** What the page has above the form, and its panels. */
    before?: { panels: readonly IndexEntry[]; content: ReactNode } | null
  }

/** The panels of an object's members: one form, with one button for all that was changed. */
export function SettingsPanels<Of extends Reference>(props: Props & FormOf<Of>) {
  const { groups, allowed, value, schema, choices = {}, submitLabel, before, ...form }: Props = props
  const panels = panelsOf({ operation: form.operation, groups, allowed, value, schema, choices })
  const fields = fieldsIn(panels)
  const was = value === undefined ? {} : { was: shownValues(fields) }
  return (
    <>
      <PanelIndex panels={[...(before?.panels ?? []), ...panels]} />
      {before?.content}
      {fields.length > 0 ? (
        <OperationForm
          id={form.operation.name}
          {...form}
          {...was}
          panels={panels}
          submitLabel={submitLabel ?? say('form.save')}
        />
      ) : (
        <ReadPanels panels={panels} />
      )}
    </>
  )
}

/** What one of several operations changes. */
export type SettingsPart = Shown & {
  tag: string
  params?: Readonly<Record<string, string>>
  /** Further members, each group folded away in the first panel. */
  folds?: readonly { title: string; members: readonly string[] }[]
}

/** What an object of the tenant has in a form of several. */
export async function settingsPart(
  { read, update }: Readonly<Record<'read' | 'update', Reference>>,
  section: string,
  console: Console,
): Promise<SettingsPart & { notApplied: readonly string[] }> {
  const found = await console.readTagged(read)
  return { ...found, operation: update, groups: formGroups(update, section), allowed: console.may(update) }
}

/** The same for what several operations change: those of them are called whose members were changed. */
export function SettingsOfSeveral({ parts }: { parts: readonly SettingsPart[] }) {
  const panels = parts.flatMap((part) => {
    const { operation, folds = [], ...shown } = part
    const within = (fields: readonly Field[]): Field[] => fields.map((field) => fieldIn(operation.name, field))
    const folded = folds.map(({ title, members }) => ({
      title,
      fields: within(splitFields({ ...shown, operation, members, allowed: part.allowed === true }).open),
    }))
    return panelsOf(part).map((panel, place) => ({
      ...panel,
      fields: within(panel.fields),
      part: operation.name,
      folds: [
        ...(panel.folds ?? []).map((fold) => ({ ...fold, fields: within(fold.fields) })),
        ...(place === 0 ? folded.filter(({ fields }) => fields.length > 0) : []),
      ],
    }))
  })
  const fields = fieldsIn(panels)
  return (
    <>
      <PanelIndex panels={panels} />
      {fields.length > 0 ? (
        <Form
          parts={parts.map(({ operation, params = {}, tag }) => ({ operation: operation.name, params, tag }))}
          was={shownValues(fields)}
          panels={panels}
          submitLabel={say('form.save')}
        />
      ) : (
        <ReadPanels panels={panels} />
      )}
    </>
  )
}

const panelsOf = ({ operation, groups, allowed, value, schema, choices }: Shown): FormPanel[] =>
  groups.map(({ group, title, lead, members }) => {
    const isAllowed = typeof allowed === 'function' ? (member: string) => allowed(member, group) : allowed
    const { open, closed } = splitFields({ operation, members, value, schema, choices, allowed: isAllowed })
    const rare = open.filter(({ isRare }) => isRare)
    return {
      id: group,
      title,
      lead,
      fields: open.filter(({ isRare }) => !isRare),
      folds: rare.length > 0 ? [{ title: say('form.more'), fields: rare }] : [],
      facts: closed.map((field) => [field.label, readableOf(field), controlId(operation.name, field.name)] as const),
    }
  })

const fieldsIn = (panels: readonly FormPanel[]): Field[] =>
  panels.flatMap(({ fields, folds = [] }) => [...fields, ...folds.flatMap((fold) => fold.fields)])

const ReadPanels = ({ panels }: { panels: readonly FormPanel[] }) =>
  panels.map(({ id, title, lead, facts }) => (
    <Panel key={id} id={id} title={title} lead={lead}>
      <p className="co-hint">{say('form.readonly')}</p>
      <Facts facts={facts} />
    </Panel>
  ))
