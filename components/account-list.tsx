import type { AccountView } from '../lib/pages/view'
import { Picture } from './picture'
import { safeResource } from './safe-url'

type Props = {
  accounts: readonly AccountView[]
  label: string
  /** The mark of the account that the session belongs to. */
  signedIn?: string
}

/** One account needs no choice: it is shown, and posted as a hidden field. Several become radio buttons. */
export function AccountList({ accounts, label, signedIn }: Props) {
  const [only] = accounts
  if (only && accounts.length === 1) {
    return (
      <div className="account">
        <input type="hidden" name="account" value={only.id} />
        <AccountFace account={only} />
      </div>
    )
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      {accounts.map((account, index) => (
        <label key={account.id} className="account account-choice">
          <input
            className="account-radio"
            type="radio"
            name="account"
            value={account.id}
            defaultChecked={index === 0}
          />
          <AccountFace account={account} note={account.signedIn ? signedIn : undefined} />
        </label>
      ))}
    </fieldset>
  )
}

export function AccountFace({ account, note }: { account: AccountView; note?: string | undefined }) {
  return (
    <>
      <Avatar account={account} />
      <span className="flex min-w-0 flex-col">
        <bdi className="account-name">{account.name}</bdi>
        {account.email && account.email !== account.name && <bdi className="account-email">{account.email}</bdi>}
        {note && <span className="account-note">{note}</span>}
      </span>
    </>
  )
}

function Avatar({ account }: { account: AccountView }) {
  const initial = [...account.name.trim()][0]?.toUpperCase()
  if (safeResource(account.picture))
    return <Picture className="avatar" src={account.picture} width={44} height={44} initial={initial} />
  return (
    <span className="avatar" aria-hidden="true">
      {initial}
    </span>
  )
}
