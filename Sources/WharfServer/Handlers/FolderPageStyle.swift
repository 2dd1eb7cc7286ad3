/// The style of ``FolderPage``, in light and dark as the browser asks.
enum FolderPageStyle {
    /// What the page's policy lets through: the SHA-256 of ``text``, which a test compares.
    static let hash = "sha256-hfQkPQqFgAtgtgVyrhMe2Z9jfXTXgNrlqmeqpmpohA4="

    static let text = """
        :root{color-scheme:light dark;--text:#1c1e21;--dim:#667078;--line:#e3e6e8;--link:#0b57c2;\
        --back:#fff;--hover:#f4f6f8;--icon:#7aa7e0}
        @media(prefers-color-scheme:dark){:root{--text:#e4e6e8;--dim:#98a1a8;--line:#2e3438;\
        --link:#8ab8ff;--back:#16191c;--hover:#1f2428;--icon:#5b86bd}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--back);color:var(--text);\
        font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 3rem}
        h1{font-size:1.35rem;font-weight:600;margin:.5rem .5rem 1.25rem;overflow-wrap:anywhere}
        h1 a{font-weight:400}
        h1 i{font-style:normal;color:var(--dim)}
        a{color:var(--link);text-decoration:none;unicode-bidi:isolate}
        a:hover{text-decoration:underline}
        table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
        th{font-size:.8rem;font-weight:500;color:var(--dim);text-align:left;white-space:nowrap}
        th,td{padding:.5rem;border-bottom:1px solid var(--line);vertical-align:baseline}
        td:first-child{position:relative;overflow-wrap:anywhere;padding-left:2.2rem}
        td:nth-child(n+2){color:var(--dim);font-size:.9rem;white-space:nowrap}
        th:nth-child(2),td:nth-child(2){text-align:right;padding-right:1.5rem}
        th:nth-child(3),td:nth-child(3){width:1%}
        tbody tr:hover{background:var(--hover)}
        td a::before{content:"";position:absolute;left:.625rem;top:.7rem;width:.8em;height:1.05em;\
        border:1px solid var(--dim);border-radius:.12em;opacity:.55}
        .folder a::before,.up a::before{left:.5rem;top:.825rem;width:1.05em;height:.8em;border:0;\
        border-radius:.12em;background:var(--icon);opacity:1;\
        clip-path:polygon(0 0,40% 0,50% 18%,100% 18%,100% 100%,0 100%)}
        .up a::before{opacity:.45}
        p{margin:1rem .5rem;color:var(--dim);font-size:.9rem}
        @media(max-width:36rem){th:nth-child(3),td:nth-child(3){display:none}}
        """
}
