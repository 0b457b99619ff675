-- DropIndex
DROP INDEX "token_family_client_id_id_idx";

-- CreateIndex
CREATE INDEX "token_family_client_id_created_at_id_idx" ON "token_family"("client_id", "created_at", "id");
