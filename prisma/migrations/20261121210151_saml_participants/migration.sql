-- CreateTable
CREATE TABLE "saml_participant" (
    "tenant_id" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name_id" TEXT NOT NULL,
    "name_id_format" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saml_participant_pkey" PRIMARY KEY ("tenant_id","sid","client_id")
);

-- CreateIndex
CREATE INDEX "saml_participant_expires_at_idx" ON "saml_participant" USING BRIN ("expires_at");
