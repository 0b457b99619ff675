// What stands below a control, and says of it.
import { Marked } from './marked'

export const describedBy = (id: string, hint: string | undefined, problem: string | undefined): string | undefined =>
  [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter((each) => each !== '').join(' ') || undefined

type NotesProps = { id: string; hint?: string | undefined; problem?: string | undefined }

export function Notes({ id, hint, problem }: NotesProps) {
  return (
    <>
      {hint && (
        <p id={`${id}-hint`} className="co-hint">
          <Marked text={hint} />
        </p>
      )}
      <p id={`${id}-problem`} className="co-problem" aria-live="polite" hidden={!problem}>
        {problem}
      </p>
    </>
  )
}
