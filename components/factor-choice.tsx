import type { Translate } from '../lib/pages/texts/messages'
import type { FactorKind } from '../lib/pages/view'
import { TransactionForm } from './transaction-form'

type Props = {
  /** Where the form posts, and what besides the button. */
  action: string
  fields: Readonly<Record<string, string>>
  /** What the button posts as `action`. */
  value: string
  kind: FactorKind
  /** Which one of that kind, or what it is good for. */
  detail: string | undefined
  t: Translate
}

/** One way to confirm a login, as a button of its own: choosing it may send something, so it is no link. */
export const FactorChoice = ({ action, fields, value, kind, detail, t }: Props) => (
  <TransactionForm action={action} fields={fields}>
    <button type="submit" name="action" value={value} className="choice">
      <span className="choice-name">{t(`mfa.factor.${kind}`)}</span>
      {detail && (
        <span className="choice-detail">
          <bdi>{detail}</bdi>
        </span>
      )}
    </button>
  </TransactionForm>
)
