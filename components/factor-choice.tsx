import type { FactorKind } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'
import { TransactionForm } from './transaction-form'

type Props = {
  /** The address that the form posts to, and its hidden fields. */
  action: string
  fields: Readonly<Record<string, string>>
  /** The button's value of `action`. */
  value: string
  kind: FactorKind
  /** Which factor of that kind, or its purpose. */
  detail: string | undefined
  t: Translate
}

/** One way to confirm a login, as a button of its own: choosing it may send a message, so it is not a link. */
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
