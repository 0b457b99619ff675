/** How Microsoft's products say that there were two factors. */
export const MULTIPLE_AUTHENTICATION = 'http://schemas.microsoft.com/claims/multipleauthn'
