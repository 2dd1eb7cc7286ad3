/// The texts of ``PlainPage`` in one language.
struct PlainTexts: Sendable {
    let files: String
    let upload: String
    let newFolder: String
    let create: String
    let parent: String
    let name: String
    let bytes: String
    let modified: String
    let delete: String
    let more: String

    /// Those of a language of ``PageShell/languages``; of another one the English ones.
    static func of(_ language: String) -> PlainTexts { all[language] ?? english }

    private static let english = PlainTexts(
        files: "Files", upload: "Upload", newFolder: "New folder", create: "Create",
        parent: "Parent folder", name: "Name", bytes: "Bytes", modified: "Modified (UTC)",
        delete: "Delete what is marked", more: "There are more entries than these.")

    private static let all = [
        "de": PlainTexts(
            files: "Dateien", upload: "Hochladen", newFolder: "Neuer Ordner", create: "Anlegen",
            parent: "Übergeordneter Ordner", name: "Name", bytes: "Bytes",
            modified: "Geändert (UTC)", delete: "Markiertes löschen",
            more: "Es gibt mehr Einträge als diese."),
        "fr": PlainTexts(
            files: "Fichiers", upload: "Envoyer", newFolder: "Nouveau dossier", create: "Créer",
            parent: "Dossier parent", name: "Nom", bytes: "Octets", modified: "Modifié (UTC)",
            delete: "Supprimer les éléments cochés", more: "Il y a d’autres éléments."),
        "es": PlainTexts(
            files: "Archivos", upload: "Subir", newFolder: "Nueva carpeta", create: "Crear",
            parent: "Carpeta superior", name: "Nombre", bytes: "Bytes",
            modified: "Modificado (UTC)", delete: "Eliminar lo marcado",
            more: "Hay más elementos que estos."),
        "ja": PlainTexts(
            files: "ファイル", upload: "アップロード", newFolder: "新規フォルダ", create: "作成",
            parent: "上のフォルダ", name: "名前", bytes: "バイト", modified: "更新日時 (UTC)",
            delete: "選択したものを削除", more: "ほかにも項目があります。"),
        "zh": PlainTexts(
            files: "文件", upload: "上传", newFolder: "新建文件夹", create: "创建",
            parent: "上级文件夹", name: "名称", bytes: "字节", modified: "修改时间 (UTC)",
            delete: "删除所选", more: "还有更多项目。"),
    ]
}
