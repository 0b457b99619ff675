import type { ReactNode } from 'react'

type Props = {
  action: string
  fields: Readonly<Record<string, string>>
  sendsFile?: boolean
  children: ReactNode
}

/** A native form (docs/adr/0003). With `data-once` comfort.js prevents a second submission. */
export function TransactionForm({ action, fields, sendsFile = false, children }: Props) {
  return (
    <form
      className="form"
      method="post"
      action={action}
      encType={sendsFile ? 'multipart/form-data' : undefined}
      data-once=""
    >
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}
