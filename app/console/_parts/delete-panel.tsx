import type { Reference } from '../../../lib/management/console-call'
import { say } from '../../../lib/text/console'
import { type FormOf, OperationForm, type OperationFormProps } from './operation-form'
import { Panel } from './panel'

type Props = Pick<OperationFormProps, 'operation' | 'params' | 'tag'> & {
  title?: string
  lead: string
  submitLabel?: string
  /** The person types this to confirm. */
  confirm: string
  /** Whom it concerns, in words. */
  affected?: readonly string[]
  /** The path of the page to go to. */
  to: string
}

/** Removes what a page shows, and goes to another page. */
export function DeletePanel<Of extends Reference>(props: Props & FormOf<Of>) {
  const { title, lead, submitLabel, to, affected = [], ...form }: Props = props
  return (
    <Panel title={title ?? say('form.delete')} lead={lead} danger>
      {affected.map((text) => (
        <p key={text}>
          <strong>{text}</strong>
        </p>
      ))}
      <OperationForm {...form} submitLabel={submitLabel ?? say('form.delete')} next={`${to}?done=deleted`} danger />
    </Panel>
  )
}
