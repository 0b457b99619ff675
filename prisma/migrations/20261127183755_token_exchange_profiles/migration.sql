-- CreateTable
CREATE TABLE "token_exchange_profile" (
    "tenant_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "subject_token_type" TEXT NOT NULL,
    "action_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "token_exchange_profile_pkey" PRIMARY KEY ("tenant_id","id")
);

-- CreateIndex
CREATE INDEX "token_exchange_profile_action_id_idx" ON "token_exchange_profile"("action_id");

-- CreateIndex
CREATE UNIQUE INDEX "token_exchange_profile_tenant_id_subject_token_type_key" ON "token_exchange_profile"("tenant_id", "subject_token_type");

-- AddForeignKey
ALTER TABLE "token_exchange_profile" ADD CONSTRAINT "token_exchange_profile_tenant_id_fkey" FOREIGN KEY ("tenant_id") REFERENCES "tenant"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "token_exchange_profile" ADD CONSTRAINT "token_exchange_profile_action_id_fkey" FOREIGN KEY ("action_id") REFERENCES "action"("id") ON DELETE CASCADE ON UPDATE CASCADE;
