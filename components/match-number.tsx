/** A number that another browser or device is asked for, so that nobody approves a login that is not in front of them. */
export const MatchNumber = ({ says, number }: { says: string; number: string | undefined }) => (
  <div className="match">
    <p>{says}</p>
    <p className="match-number" dir="ltr">
      {number}
    </p>
  </div>
)
