import { DoorPage } from './_shared/door-page'

export default function NotFound() {
  return (
    <DoorPage title="There is no page here" door="shut">
      <p className="card-lead">The address may be misspelt, or what was here has moved.</p>
    </DoorPage>
  )
}
